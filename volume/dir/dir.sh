# usage: sh -s -- make DIR | remove DIR [mounted], after the text of internal/removal
#
# remove says gone: an exit status alone could be that of a sh which ran
# nothing of this.
#
# DIR is .assay-ID in a directory that somebody named. Who may rename DIR can put a
# link in its place, and what this user then writes goes where that leads. So nothing
# is made where others may: in a directory, or below one, that belongs to another user
# or that others may write to, unless it is sticky. It exits with 77 then. In a pod, whose mounts are
# its own and whose links lead nowhere else, that is not asked.
LC_ALL=C
export LC_ALL
mounted=$3
parent=${2%/*}
parent=${parent:-/}

# private DIR: whether only this user and root may rename what is in DIR.
private() {
	# shellcheck disable=SC2046
	set -- "$1" $(ls -ldn -- "$1")
	[ -n "$4" ] || return 1
	case $4 in
	0 | "$(id -u)") ;;
	*)
		# Whoever ran sudo is root anyway.
		if [ "$(id -u)" != 0 ] || [ "$4" != "$SUDO_UID" ]; then
			echo "user $4 owns $1 and may rename what is in it" >&2
			return 1
		fi
		;;
	esac
	case $2 in
	????????w[tT]* | ?????w???[tT]*) ;;
	????????w*)
		echo "anybody may rename what is in $1: it is not sticky" >&2
		return 1
		;;
	?????w????+*)
		echo "an access control list lets others rename what is in $1" >&2
		return 1
		;;
	?????w*)
		# A group of one's own, as many systems give each user.
		if [ "$(id -u)" = 0 ] || [ "$5" != "$(id -g)" ] || [ "$(id -un)" != "$(id -gn)" ]; then
			echo "group $5 may rename what is in $1" >&2
			return 1
		fi
		;;
	esac
}

# guarded DIR: whether that is so for DIR and all directories above.
guarded() {
	[ -z "$mounted" ] || return 0
	at=$1
	while private "${at:-/}"; do
		[ -n "$at" ] && [ "$at" != / ] || return 0
		at=${at%/*}
	done
	return 1
}

case $1 in
make)
	real=$(cd -P -- "$parent" && pwd -P) || exit
	guarded "$real" || exit 77
	dir=${real%/}/${2##*/}
	mkdir -m 700 -- "$dir" || exit
	guarded "$real" && [ ! -L "$dir" ] && [ -O "$dir" ] || exit 77
	# From here on no link leads there.
	[ "$dir" = "$2" ] || printf '%s\n' "$dir"
	;;
remove)
	if [ -e "$2" ] || [ -L "$2" ]; then
		real=$(cd -P -- "$parent" && pwd -P) || exit
		guarded "$real" || exit 77
		remove_tree "${real%/}/${2##*/}"
	fi && [ ! -e "$2" ] && [ ! -L "$2" ] && echo gone
	;;
esac
