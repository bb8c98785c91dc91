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

case $mode in
once)
	echo "H $(getconf CLK_TCK 2>/dev/null || echo 100)"
	echo "T $(date +%s)"
	look
	throttles
	# The CPU time of kernel threads, children of process 2: fields 14 and 15,
	# counted behind the name in brackets, which may hold anything.
	cat "$root"/proc/[0-9]*/stat 2>/dev/null |
		awk '{ sub(/^.*\) /, ""); if ($2 == 2) t += $12 + $13 } END { printf "K %d\n", t }' 2>/dev/null
	;;
loop)
	echo "H $(getconf CLK_TCK 2>/dev/null || echo 100)"
	while :; do
		look
		# Without cpufreq the clock stands in cpuinfo, if anywhere.
		[ -r "$root/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq" ] ||
			sed -n 's/^cpu MHz[^0-9]*/M /p' "$root/proc/cpuinfo" 2>/dev/null
		echo .
		sleep 1
	done
	;;
esac
