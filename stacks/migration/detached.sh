# Runs a command that goes on, whatever becomes of whoever waits for it here, and ends as it does.
# It is nobody's child, has a session of its own, and none of the marks by which what assay starts
# is found and ended; and as it must not die of nobody reading it, what it prints is kept and told
# at its end.
said=$(
	(
		env -i "PATH=$PATH:/usr/sbin:/sbin" "HOME=${HOME:-/root}" LC_ALL=C setsid sh -c '
			said=$("$@" 2>&1)
			status=$?
			printf "%s\n%d\n" "$said" "$status"' sh "$@" </dev/null 2>/dev/null &
	)
)
status=${said##*
}
printf '%s\n' "${said%"$status"}" | sed '$d'
case $status in
'' | *[!0-9]*)
	echo "what ran it was killed" >&2
	exit 255
	;;
esac
exit "$status"
