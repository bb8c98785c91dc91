# place.sh make NAME KIB [MARK] | look NAME MARK | push DIR gzip|plain | remove NAME
# Where a host keeps the directory of an agent: in memory where that can be, and
# where programs may be started. remove_tree is of internal/removal.
export LC_ALL=C
umask 077

each_parent() {
	for parent in /dev/shm /run "/run/user/$(id -u)" /tmp /var/tmp "$HOME"; do
		[ -n "$parent" ] && [ -d "$parent" ] && "$@" "$parent"
	done
	return 0
}

show() { if [ -d "$2/$1" ] && [ ! -L "$2/$1" ]; then echo "dir $2/$1"; fi; }

# In a directory of another user no program is started, nor is its mark believed.
show_own() {
	if [ -d "$3/$1" ] && [ ! -L "$3/$1" ] && [ -O "$3/$1" ]; then
		echo "dir $3/$1"
		[ ! -f "$3/$1/$2" ] || echo "mark $3/$1"
	fi
}

# The number before the percentage is what is free; a device may have blanks.
free() {
	last=0
	for word in $(df -Pk "$1" 2>/dev/null | tail -n 1); do
		case $word in *%) echo "$before"; return ;; esac
		before=$word
	done
	echo 0
}

try() {
	[ -z "$found" ] || return 0
	[ -w "$3" ] || return 0
	if [ "$(free "$3")" -lt "$2" ]; then
		echo "$3 has less than $2 KiB free" >&2
		return 0
	fi
	mkdir -m 700 "$3/$1" || return 0
	printf '#!/bin/sh\nexit 7\n' >"$3/$1/try" && chmod 700 "$3/$1/try" && "$3/$1/try" 2>/dev/null
	if [ $? -eq 7 ]; then
		rm -f "$3/$1/try"
		found=$3/$1
	else
		rm -rf "$3/$1"
		echo "$3 does not let programs be started" >&2
	fi
}

clear_one() { if [ -e "$2/$1" ] || [ -L "$2/$1" ]; then remove_tree "${2:?}/$1"; fi; }

case $1 in
look)
	each_parent show_own "$2" "$3"
	;;
make)
	if [ -n "$(each_parent show "$2")" ]; then exit 4; fi
	found=
	each_parent try "$2" "$3"
	[ -n "$found" ] || exit 3
	if [ -n "$4" ]; then : >"$found/$4"; fi
	echo "dir $found"
	echo "arch $(uname -m)"
	echo "system $(uname -s)"
	if command -v gzip >/dev/null 2>&1; then echo "gzip yes"; fi
	;;
push)
	case $3 in
	gzip) gzip -dc >"$2/assay.part" || exit 1 ;;
	*) cat >"$2/assay.part" || exit 1 ;;
	esac
	chmod 700 "$2/assay.part" && mv -f "$2/assay.part" "$2/assay"
	;;
remove)
	each_parent clear_one "$2"
	left=$(each_parent show "$2")
	[ -z "$left" ] || { echo "$left is still there" >&2; exit 1; }
	;;
esac
