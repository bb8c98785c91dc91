# Takes the lock of directory $1 for $2 and keeps it for as long as this process
# lives, which is known by $3. What is locked is a directory that every host has, so that no file has
# to be made, and none can be left. Where another has it: says who that is.
[ -d "$1" ] || set -- /tmp "$2" "$3"
command -v flock >/dev/null || exit 127
exec 9<"$1" || exit 1
flock -n 9
status=$?
if [ $status = 0 ]; then
	# Others see it in the environment of a process that began with it.
	ASSAY_HOLD=$2 ASSAY_HOLD_KEY=$3
	export ASSAY_HOLD ASSAY_HOLD_KEY
	exec sleep 31536000
fi
[ $status = 1 ] || exit $status
for process in /proc/[0-9]*; do
	[ "$process/fd/9" -ef "$1" ] || continue
	tr '\0' '\n' <"$process/environ" | sed -n 's/^ASSAY_HOLD=//p'
done 2>/dev/null
exit 75
