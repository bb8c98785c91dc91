# begin DIR LIMIT STOP START RUNNING GUARD: has a guard stop something in a second, which nobody
# has to wait for: the way to this host may be among what is stopped.
set -eu
dir=$1 limit=$2
umask 077
mkdir "$dir"
printf '%s\n' "$3" >"$dir/stop"
printf '%s\n' "$4" >"$dir/start"
printf '%s\n' "$5" >"$dir/running"
printf '%s\n' "$6" >"$dir/guard"
# Without the marks by which what assay starts is found and ended, and in a session of its own.
env -i PATH="$PATH" HOME="${HOME:-/root}" LC_ALL=C setsid sh "$dir/guard" "$dir" "$limit" </dev/null >/dev/null 2>&1 &
tries=100
while [ ! -s "$dir/guard.pid" ]; do
	tries=$((tries - 1))
	[ $tries -gt 0 ] || {
		echo "the guard did not start" >&2
		exit 1
	}
	sleep 0.1
done
echo armed
