# guard DIR LIMIT: runs DIR/stop, and DIR/start when DIR/back is there or after LIMIT seconds,
# whatever has become of whoever asked. What happened when is in DIR.
dir=$1 limit=$2
cd "$dir" || exit
now() { date +%s.%N; }
uptime() {
	read -r up rest </proc/uptime
	echo "${up%%.*}"
}
echo $$ >guard.pid || exit
sleep 1
if [ -e guard.pid ] && [ ! -e back ]; then
	end=$(($(uptime) + limit))
	now >stopping
	(
		sh -c 'echo $$ >stop.pid; exec timeout -k 5 "$1" sh ./stop' sh "$limit" >stop.said 2>&1
		echo $? >stop.status
		now >stopped
	) &
	while [ ! -e back ] && [ "$(uptime)" -lt "$end" ]; do sleep 0.1; done
	now >starting
	if [ ! -e stopped ] && read -r pid <stop.pid; then
		kill "$pid"
	fi
	wait
	for round in 1 2 3 4 5 6; do
		timeout -k 5 300 sh ./start >start.said 2>&1
		for look in 0 0.1 0.2 0.5 1 2 5; do
			sleep $look
			timeout -k 5 30 sh ./running >/dev/null 2>&1 && break 2
		done
	done
	now >started
fi
now >done
