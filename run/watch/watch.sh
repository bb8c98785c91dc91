# usage: sh -s -- once|loop "DEVICES" "SENSOR FILES, one a line"
# Prints one block of raw counters, or one a second until it is killed.
# Nothing here forks in the loop but sleep and the clock: it must not disturb.
mode=$1 devices=$2 sensors=$3 root=${ASSAY_ROOT-}
LC_ALL=C
export LC_ALL
newline='
'

look() {
	if read -r up _ <"$root/proc/uptime"; then echo "U $up"; fi 2>/dev/null
	if read -r line <"$root/proc/stat"; then echo "C $line"; fi 2>/dev/null
	for d in $devices; do
		if read -r line <"$root/sys/class/block/$d/stat"; then echo "D $d $line"; fi 2>/dev/null
		case $d in
		nvme*n*) # the paths of native multipath, which count what older kernels don't count here
			for p in "$root/sys/class/block/${d%n*}"c*"n${d##*n}/stat"; do
				if [ -r "$p" ] && read -r line <"$p"; then echo "P $d $line"; fi 2>/dev/null
			done
			;;
		esac
	done
	i=0
	old=$IFS
	IFS=$newline
	for s in $sensors; do
		if read -r line <"$root$s"; then echo "S $i $line"; fi 2>/dev/null
		i=$((i + 1))
	done
	IFS=$old
	for f in "$root"/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq; do
		if [ -r "$f" ] && read -r line <"$f"; then echo "F $line"; fi 2>/dev/null
	done
}

# waits: who waits, and for what, as far as the first line of a file tells it.
waits() {
	if read -r line <"$root/proc/loadavg"; then echo "proc/loadavg:$line"; fi 2>/dev/null
	for p in cpu io memory; do
		if read -r line <"$root/proc/pressure/$p"; then echo "proc/pressure/$p:$line"; fi 2>/dev/null
	done
}

# counters: "FILE:LINE" of the counters of the whole machine, and of the control
# groups that hold this process, with one grep for all.
counters() {
	cd "$root/" || return
	set -- proc/loadavg proc/pressure/cpu proc/pressure/io proc/pressure/memory \
		proc/vmstat proc/net/dev proc/net/snmp proc/spl/kstat/zfs/arcstats sys/class/net/*/carrier_changes
	while IFS=: read -r _ controllers group; do
		case ,$controllers, in
		,,) mounts='sys/fs/cgroup sys/fs/cgroup/unified' names='cpu.stat memory.events.local' ;;
		*,cpu,*) mounts="sys/fs/cgroup/$controllers" names=cpu.stat ;;
		*) continue ;;
		esac
		# A group and all above it may have a limit. One outside of this container
		# has no path here.
		for mount in $mounts; do
			above=$group
			while :; do
				for name in $names; do set -- "$@" "$mount${above%/}/$name"; done
				[ -n "${above%/}" ] || break
				above=${above%/*}
			done
		done
	done <proc/self/cgroup
	grep -sE 'total=|^Tcp:|: *[0-9]|^[0-9.]+ [0-9.]+ [0-9.]+ [0-9]+/|^(demand_data_hits|demand_data_iohits|demand_data_misses|prefetch_data_misses|pswpin|pswpout|usage_usec|nr_periods|nr_throttled|throttled_usec|throttled_time|high|max|oom_kill) |^[0-9]+$' \
		/dev/null "$@"
} 2>/dev/null

# throttles: "X PACKAGE COUNT" and "X PACKAGE/CORE COUNT" as each CPU has counted
# what it shares with others.
throttles() {
	for d in "$root"/sys/devices/system/cpu/cpu[0-9]*; do
		[ -d "$d/thermal_throttle" ] || continue
		package=- core=${d##*/}
		if read -r line <"$d/topology/physical_package_id"; then package=$line; fi 2>/dev/null
		if read -r line <"$d/topology/core_id"; then core=$line; fi 2>/dev/null
		if read -r line <"$d/thermal_throttle/package_throttle_count"; then echo "X $package $line"; fi 2>/dev/null
		if read -r line <"$d/thermal_throttle/core_throttle_count"; then echo "X $package/$core $line"; fi 2>/dev/null
	done
}

hertz=$(getconf CLK_TCK 2>/dev/null || echo 100)
echo "H $hertz"
case $mode in
once)
	echo "T $(date +%s)"
	echo "G $(getconf PAGESIZE 2>/dev/null)"
	look
	throttles
	counters
	# The CPU time of kernel threads, children of process 2: fields 14 and 15,
	# counted behind the name in brackets, which may hold anything. Of others it is
	# told one by one, if they have used a tenth of a second or more.
	cat "$root"/proc/[0-9]*/stat 2>/dev/null |
		awk -v some="$((hertz / 10))" '{
			line = $0
			sub(/^.*\) /, "")
			if ($2 == 2) t += $12 + $13
			else if ($12 + $13 >= some) {
				name = substr(line, 1, length(line) - length($0) - 2)
				pid = name + 0
				sub(/^[^(]*\(/, "", name)
				printf "N %d %s %d %s\n", pid, $20, $12 + $13, name
			}
		} END { printf "K %d\n", t }' 2>/dev/null
	;;
loop)
	while :; do
		look
		waits
		# Without cpufreq the clock stands in cpuinfo, if anywhere.
		[ -r "$root/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq" ] ||
			sed -n 's/^cpu MHz[^0-9]*/M /p' "$root/proc/cpuinfo" 2>/dev/null
		echo .
		sleep 1
	done
	;;
esac
