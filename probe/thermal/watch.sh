# Watches temperatures, clock and throttle counters of a machine before, under
# and after a load of all its CPUs. POSIX sh; needs sleep, sed and kill -0.
#
#   sh -s -- ROOT IDLE LOAD SETTLE INTERVAL THREADS [KIND KEY PATH]... < watch.sh
#
# ROOT is the directory that holds sys and proc (/). IDLE and LOAD last so many
# hundredths of a second; what comes after, at most SETTLE of them. INTERVAL is
# what sleep takes. THREADS loops are started, 0 for one a CPU. KIND, KEY and
# PATH tell of a sensor, PATH being the file with millidegrees.
#
# Prints, one item a line:
#   assay-thermal 1                      the format's version
#   sensor N KIND KEY                    a sensor and its number
#   clock cpufreq|cpuinfo|none           where the clock comes from
#   load THREADS                         how many loops there will be
#   phase idle|load|after UPTIME         a phase begins
#   tick UPTIME [clock=kHz] [throttles=COUNT] [N=MILLIDEGREES]...
#   end settled|bound UPTIME             why it is over; anything else broke off

root=${1%/}
idle=$2 load=$3 settle=$4 interval=$5 threads=$6
shift 6

loops='' sleeper=''
margin=2000 # within 2 degrees of idle counts as settled

stop() {
	for pid in $loops $sleeper; do
		kill "$pid" 2>/dev/null
	done
	for pid in $loops; do
		wait "$pid" 2>/dev/null
	done
	loops='' sleeper=''
}

# Signals are seen at once because naps are waited for, not run.
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

uptime() {
	read -r now _ </proc/uptime
	whole=${now%.*} part=${now#*.}
	now_cs=$whole$part
}

nap() {
	sleep "$interval" &
	sleeper=$!
	wait "$sleeper"
	sleeper=''
}

# One loop. It ends by itself when its parent is gone, however that went, or
# when it is overdue; it holds no file that anyone waits for.
burn() {
	trap - EXIT HUP INT TERM
	while kill -0 $$ 2>/dev/null; do
		read -r up _ </proc/uptime
		[ "${up%.*}" -lt "$overdue" ] || exit 0
		i=0
		while [ $i -lt 20000 ]; do i=$((i + 1)); done
	done
}

ignite() {
	uptime
	overdue=$((whole + load / 100 + 10))
	n=0
	while [ $n -lt "$threads" ]; do
		burn </dev/null >/dev/null 2>&1 &
		loops="$loops $!"
		n=$((n + 1))
	done
}

count_cpus() {
	[ "$threads" -gt 0 ] 2>/dev/null && return
	threads=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || grep -c '^processor' /proc/cpuinfo)
	[ "$threads" -gt 0 ] 2>/dev/null || threads=1
}

# number VALUE: whether it is a plain decimal that sh can reckon with.
number() {
	case ${1#-} in
	'' | *[!0-9]* | 0[0-9]* | ?????????*) return 1 ;;
	esac
}

# slurp FILE: its first word into $word, '' where it cannot be read.
slurp() {
	word=''
	{ read -r word _ <"$1"; } 2>/dev/null
	number "$word" || word=''
}

find_clock() {
	clock=none
	for f in "$root"/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq; do
		slurp "$f"
		[ -n "$word" ] && clock=cpufreq && return
	done
	[ -n "$(megahertz)" ] && clock=cpuinfo
}

megahertz() {
	sed -n 's/^cpu MHz[^:]*: *\([0-9][0-9]*\).*/\1/p' "$root/proc/cpuinfo" 2>/dev/null
}

read_clock() {
	sum=0 n=0
	case $clock in
	cpufreq)
		for f in "$root"/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq; do
			slurp "$f"
			[ -n "$word" ] && sum=$((sum + word)) n=$((n + 1))
		done
		;;
	cpuinfo)
		for word in $(megahertz); do
			number "$word" && sum=$((sum + word * 1000)) n=$((n + 1))
		done
		;;
	esac
	[ $n -gt 0 ] && line="$line clock=$((sum / n))"
}

# find_throttles: leaves "UNIT:FILE" of every counter in $counters. Siblings count
# the events of their core each, and all CPUs of a package those of the package:
# a unit is what they share.
find_throttles() {
	counters=''
	for d in "$root"/sys/devices/system/cpu/cpu[0-9]*; do
		[ -d "$d/thermal_throttle" ] || continue
		cpu=${d##*/}
		slurp "$d/topology/physical_package_id"
		case $word in '' | -*) package=x ;; *) package=$word ;; esac
		slurp "$d/topology/core_id"
		case $word in '' | -*) core=$cpu ;; *) core=$word ;; esac
		for f in "$package:$cpu/thermal_throttle/package_throttle_count" \
			"${package}_$core:$cpu/thermal_throttle/core_throttle_count"; do
			slurp "$root/sys/devices/system/cpu/${f#*:}"
			[ -n "$word" ] && counters="$counters $f"
		done
	done
}

# read_throttles: of each unit, the counter that has seen most counts.
read_throttles() {
	units='' sum=0
	for c in $counters; do
		slurp "$root/sys/devices/system/cpu/${c#*:}"
		[ -n "$word" ] || continue
		unit=unit_${c%%:*}
		case "$units " in
		*" $unit "*) ;;
		*) units="$units $unit" && eval "$unit=0" ;;
		esac
		eval "most=\$$unit"
		[ "$word" -gt "$most" ] && sum=$((sum + word - most)) && eval "$unit=$word"
	done
	[ -n "$units" ] && line="$line throttles=$sum"
}

# tick KIND KEY PATH...: prints one look. In the idle phase, adds to what each
# sensor's idle temperature is; later, sets hot where one is still above it, or
# does not answer, which must not pass for having cooled down.
tick() {
	uptime
	line="tick $now"
	read_clock
	read_throttles
	hot='' s=0
	while [ $# -ge 3 ]; do
		s=$((s + 1))
		slurp "$3"
		shift 3
		[ -n "$word" ] && line="$line $s=$word"
		eval "total=\${total_$s:-0} count=\${count_$s:-0}"
		if [ "$phase" = idle ]; then
			[ -n "$word" ] && eval "total_$s=\$((total + word)) count_$s=\$((count + 1))"
		elif [ "$count" -gt 0 ]; then
			[ "${word:-999999}" -gt $((total / count + margin)) ] && hot=1
		fi
	done
	printf '%s\n' "$line"
}

# begin PHASE LENGTH
begin() {
	phase=$1
	uptime
	until_cs=$((now_cs + $2))
	printf 'phase %s %s\n' "$phase" "$now"
}

passed() {
	uptime
	[ "$now_cs" -ge "$until_cs" ]
}

introduce() {
	echo 'assay-thermal 1'
	s=0
	while [ $# -ge 3 ]; do
		s=$((s + 1))
		printf 'sensor %s %s %s\n' "$s" "$1" "$2"
		shift 3
	done
	find_clock
	find_throttles
	count_cpus
	printf 'clock %s\nload %s\n' "$clock" "$threads"
}

main() {
	introduce "$@"

	begin idle "$idle"
	tick "$@"
	until passed; do
		nap
		tick "$@"
	done

	begin load "$load"
	ignite
	until passed; do
		nap
		tick "$@"
	done
	stop

	begin after "$settle"
	tick "$@"
	while [ -n "$hot" ] && ! passed; do
		nap
		tick "$@"
	done
	uptime
	if [ -n "$hot" ]; then why=bound; else why=settled; fi
	printf 'end %s %s\n' "$why" "$now"
}

main "$@"
