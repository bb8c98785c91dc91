# usage: service.sh alive | start NAME COMMAND… | stop NAME
# The services of one host, run inside it. The id of each is in /run/lab/NAME.pid.
set -eu

# lives says whether a process is there, and not dead already.
lives() {
	case $(sed -n 's/^State:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null) in '' | Z*) return 1 ;; esac
}

case $1 in
alive)
	for f in /run/lab/*.pid; do
		[ -e "$f" ] || continue
		read -r p <"$f"
		if lives "$p"; then basename "$f" .pid; fi
	done
	;;
start) # in the control group of the host, not in that of the program that asks for it
	name=$2
	shift 2
	if [ -d /sys/fs/cgroup/init ]; then
		echo $$ >/sys/fs/cgroup/init/cgroup.procs
	else
		for g in /sys/fs/cgroup/*/cgroup.procs; do echo $$ >"$g"; done
	fi
	cd /
	# Before the fork: a child that had yet to run would hold the pipes of who asks.
	exec >>"/var/log/lab/$name.log" 2>&1 </dev/null
	HOME=/root setsid "$@" &
	echo $! >"/run/lab/$name.pid"
	;;
stop) # with what it runs itself, but no pod
	read -r p <"/run/lab/$2.pid"
	n=0
	while lives "$p"; do
		signal=TERM
		if [ "$n" -gt 50 ]; then signal=KILL; fi
		kill -s "$signal" -- "-$p" 2>/dev/null || :
		n=$((n + 1))
		sleep 0.1
	done
	rm "/run/lab/$2.pid"
	;;
esac
