# Takes the lock of directory $1 for $2 and keeps it for as long as this process
# lives, which is known by $3. What is locked is a directory that every host has.
# Where another has it: says who that is.
#
# Any user can lock that directory, also one who only wants to be in the way. Root
# therefore locks one that it makes there, which no other user can open, and takes the
# other lock as well where it is free: who else has it is told, and keeps no run of
# root's off.
#
# Some shells (mksh) close what they have opened above 2 when they start a program, unless
# it is handed over by name: 8<&8.
[ -d "$1" ] || set -- /tmp "$2" "$3"
command -v flock >/dev/null || exit 127

# holders FD FILE: what those say who have FILE open as FD, and last, one who says nothing:
# what removes root's lock has it open, too.
holders() {
	silent=
	for process in /proc/[0-9]*; do
		[ "$process/fd/$1" -ef "$2" ] || continue
		said=$(tr '\0' '\n' <"$process/environ" | sed -n 's/^ASSAY_HOLD=//p')
		if [ -n "$said" ]; then printf '%s\n' "$said"; else silent=${process##*/}; fi
	done 2>/dev/null
	[ -z "$silent" ] || printf 'process %s\n' "$silent"
}

own=
[ "$(id -u)" != 0 ] || own=$1/assay-lock
tries=20
while [ -n "$own" ]; do
	mkdir -m 700 "$own" 2>/dev/null
	if [ -L "$own" ] || [ -e "$own" ] && { [ ! -d "$own" ] || [ ! -O "$own" ]; }; then
		own= # somebody else's: it says nothing
		break
	fi
	if command exec 8<"$own"; then
		flock -n 8 8<&8
		status=$?
		# Whoever had it before removes it: what is locked must be what others find.
		[ $status != 0 ] || [ ! /proc/self/fd/8 -ef "$own" ] || break
		[ $status -le 1 ] || exit $status
		exec 8<&-
		said=
		[ $status = 0 ] || said=$(holders 8 "$own")
		case $said in
		'' | process*) ;; # who removes it has it for a moment, and no name
		*) tries=0 ;;
		esac
	fi
	if [ $tries = 0 ]; then
		printf '%s\n' "$said"
		exit 75
	fi
	tries=$((tries - 1))
	sleep 0.1 || sleep 1
done 2>/dev/null
exec 9<"$1" || exit 1
flock -n 9 9<&9
status=$?
beside=
if [ $status = 1 ]; then
	exec 9</dev/null
	beside=$(holders 9 "$1" | sed -n 1p)
	if [ -z "$own" ]; then
		printf '%s\n' "$beside"
		exit 75
	fi
elif [ $status != 0 ]; then
	exit $status
fi
# Others see it in the environment of a process that began with it.
ASSAY_HOLD=$2 ASSAY_HOLD_KEY="$3${beside:+ $beside}"
export ASSAY_HOLD ASSAY_HOLD_KEY
# Root's lock is removed when this process has ended, however it ends, by one that has
# the lock until then.
if [ -n "$own" ] && rm -f "$own/end" && mkfifo -m 600 "$own/end"; then
	(
		trap '' HUP INT TERM
		exec 9<&-
		read -r ended <"$own/end"
		rmdir "$own"
	) 2>/dev/null &
	exec 7>"$own/end"
	rm "$own/end"
else
	exec 7>/dev/null
fi
[ -n "$own" ] || exec 8</dev/null
exec sleep 31536000 7>&7 8<&8 9<&9
