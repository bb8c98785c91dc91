# marked gives the processes with exactly $1 (NAME=value) in their environment,
# as the paths of their /proc/PID/environ. Those of other users stay unseen.
marked() {
	if echo | grep -qz ''; then
		grep -lzxF -e "$1" /proc/[0-9]*/environ
		return
	fi
	for file in /proc/[0-9]*/environ; do
		tr '\0' '\n' <"$file" | grep -qxF -e "$1" && echo "$file"
	done
}

# ended tells whether process $1 is gone, with all that it had open: its environment
# goes before its files.
ended() {
	read -r stat <"/proc/$1/stat" || return 0
	case ${stat##*) } in
	Z*) return 0 ;;
	esac
	return 1
} 2>/dev/null

# kill_marked kills them all and waits for their end, 5 s at most; one that forks
# meanwhile needs another round. $killed is then how many there were.
kill_marked() {
	killed=0 tries=50
	for round in 1 2 3 4 5 6 7 8 9 10; do
		files=$(marked "$1")
		[ -n "$files" ] || return 0
		for file in $files; do
			pid=${file#/proc/}
			kill -KILL "${pid%/environ}" && killed=$((killed + 1))
		done
		for file in $files; do
			pid=${file#/proc/}
			until ended "${pid%/environ}" || [ $tries = 0 ]; do
				tries=$((tries - 1))
				sleep 0.1 || sleep 1
			done
		done
	done
}
