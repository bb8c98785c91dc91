# Takes the lock of directory $1 for $2 and keeps it for as long as this process
# lives. What is locked is a directory that every host has, so that no file has
# to be made, and none can be left. Where another has it: says who that is.
[ -d "$1" ] || set -- /tmp "$2"
command -v flock >/dev/null || exit 127
exec 9<"$1" || exit 1
if flock -n 9; then
	# Others see it in the environment of a process that began with it.
	ASSAY_HOLD=$2
	export ASSAY_HOLD
	exec sleep 31536000
fi
for process in /proc/[0-9]*; do
	[ "$process/fd/9" -ef "$1" ] || continue
	tr '\0' '\n' <"$process/environ" | sed -n 's/^ASSAY_HOLD=//p'
done 2>/dev/null
exit 75
