# undo DIR START RUNNING: has the guard put back what it stopped, does so itself where that is
# gone, and says what happened when. Done twice, the second time changes nothing.
dir=$1 start=$2 running=$3
cd "$dir" 2>/dev/null || cd / || exit
alive() { read -r pid <"$dir/guard.pid" && tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF "$dir/guard"; } 2>/dev/null
runs() { timeout -k 5 30 sh -c "$running" </dev/null >/dev/null 2>&1; }
if [ -d "$dir" ]; then
	: >"$dir/back"
	while [ ! -e "$dir/done" ] && alive; do sleep 0.1; done
	for what in stopping stopped starting started stop.status; do
		[ ! -s "$dir/$what" ] || echo "$what $(cat "$dir/$what")"
	done
	for what in stop start; do
		[ ! -s "$dir/$what.said" ] || tail -c 400 "$dir/$what.said" | sed "s/^/$what.said /" >&2
	done
fi
# put_back tries until it runs.
put_back() {
	for round in 1 2 3 4 5 6; do
		timeout -k 5 300 sh -c "$start" </dev/null 2>&1 | tail -c 400 >&2
		for look in 0 0.1 0.2 0.5 1 2 5; do
			sleep $look
			runs && return
		done
	done
	echo "it does not run" >&2
	exit 1
}
# A guard that was killed may have stopped it, whatever it seems.
if [ -e "$dir/stopping" ] && [ ! -e "$dir/done" ] || ! runs; then
	put_back
fi
cd / && rm -rf -- "$dir"
echo back
