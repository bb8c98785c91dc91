# Makes the directory of a session, with a pipe for its stdin, and prints it.
umask 077
for top in /dev/shm /run /tmp; do
	dir=$(mktemp -d "$top/.assay-guest-XXXXXX" 2>/dev/null) && break
done
[ -d "$dir" ] && mkfifo "$dir/in" || exit 1
(
	exec </dev/null >/dev/null 2>&1
	# The holder keeps the pipe open between two writers, as long as somebody reads
	# what the session prints. Without it the session ends.
	# Then what nobody has read and removed is removed.
	(
		(
			silent=0
			while [ -d "$dir" ] && [ $silent -lt 30 ]; do
				sleep 1 9>&-
				silent=$((silent + 1))
				[ ! -e "$dir/alive" ] || { rm -f "$dir/alive" && silent=0; }
			done
		) 9<>"$dir/in" &
		echo $! >"$dir/holder"
		wait
		rm -f "$dir/holder" # its id may become another process's
		[ ! -d "$dir" ] || { sleep 30 && rm -rf "$dir"; }
	) &
)
echo "$dir"
