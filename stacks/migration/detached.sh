# Runs a command that goes on, whatever becomes of whoever waits for it here, and ends as it does.
# It has a session of its own, and none of the marks by which what assay starts is found and ended;
# and as it must not die of nobody reading it, what it prints is kept and told at its end.
env -i "PATH=$PATH:/usr/sbin:/sbin" "HOME=${HOME:-/root}" LC_ALL=C setsid sh -c '
	said=$("$@" 2>&1)
	status=$?
	printf "%s\n" "$said"
	exit "$status"' sh "$@" </dev/null &
wait "$!"
