# Prints what the kernel and a few tools say of this machine. It reads only.
#
#   sh -s -- COUNT DIR... TOOL... < facts.sh     (COUNT is how many DIRs)
#
# POSIX sh as dash, bash and BusyBox ash have it. Every line of content begins
# with a space; every other line is a section:
#
#   @@ file PATH        the lines of a file
#   @@ files DIR        lines "NAME:LINE" of the files under it, without the space
#   @@ link PATH TO     TO is the physical path of PATH
#   @@ list PATH        the names in a directory
#   @@ seen PATH        PATH exists
#   @@ run NAME EXIT    what a command printed, both streams
#   @@ dir N            a directory that was asked about: asked, real, exists, writable
#   @@ tool NAME        where a program is, and "script" if it is one; "@@ run
#                       version.NAME" follows
#
# ASSAY_ROOT, if set, is put before every path: for tests on a made-up tree.

LC_ALL=C
export LC_ALL
unset CDPATH
R=${ASSAY_ROOT-}
if [ -n "$R" ]; then
	R=$(cd -P "$R" && pwd -P) || exit 1
else
	PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
	export PATH
fi
S=$R/sys

# No function: a shell forks once more for one.
bounded=
if timeout 5 true </dev/null >/dev/null 2>&1; then bounded='timeout 2'; fi

# files DIR PATTERN...: the small files there that match, with one process for
# all. The shell's own read would take a byte at a time, and many files of /proc
# and /sys answer only the first such read.
files() {
	base=$1
	shift
	cd "$base" 2>/dev/null || return 0
	printf '@@ files %s\n' "${base#"$R"}"
	# shellcheck disable=SC2068 # the patterns are ours, and meant to expand here
	grep -s '' /dev/null $@
	cd /
} </dev/null

# bulk FILE...: files whose path holds a colon, or that are long. An empty one is
# as one that is not there.
bulk() {
	for f in "$@"; do
		shift
		if [ -f "$f" ] && [ -r "$f" ]; then set -- "$@" "$f"; fi
	done
	[ $# -gt 0 ] || return 0
	awk -v root="${#R}" 'FNR == 1 { print "@@ file " substr(FILENAME, root + 1) } { print " " $0 }' "$@" 2>/dev/null
} </dev/null

list() {
	[ -d "$1" ] || return 0
	printf '@@ list %s\n' "${1#"$R"}"
	for e in "$1"/*; do
		if [ -e "$e" ]; then printf ' %s\n' "${e##*/}"; fi
	done
}

seen() {
	for f in "$@"; do
		if [ -e "$f" ]; then printf '@@ seen %s\n' "${f#"$R"}"; fi
	done
}

# run NAME COMMAND...: bounded, and never fed from this script's own stdin.
run() {
	name=$1
	shift
	# shellcheck disable=SC2086 # two words, or none
	text=$($bounded "$@" </dev/null 2>&1)
	told $?
}

# ask NAME COMMAND...: as run, for what cannot hang.
ask() {
	name=$1
	shift
	text=$("$@" </dev/null 2>&1)
	told $?
}

# told EXIT: prints $text as what $name printed, without a process where it is short.
told() {
	code=$1
	printf '@@ run %s %s\n' "$name" "$code"
	if [ ${#text} -gt 1000 ]; then
		printf '%s\n' "$text" | sed 's/^/ /'
		return
	fi
	rest=$text
	while :; do
		case $rest in
		*"$newline"*) ;;
		*) break ;;
		esac
		printf ' %s\n' "${rest%%"$newline"*}"
		rest=${rest#*"$newline"}
	done
	printf ' %s\n' "$rest"
}
newline='
'

# where PROGRAM: leaves the path of a program in P, without a process.
where() {
	set -f
	IFS=:
	# shellcheck disable=SC2086 # split at the colons
	set -- "$1" $PATH
	set +f
	unset IFS
	program=$1
	shift
	for P in "$@"; do
		P=${P:-.}/$program
		if [ -f "$P" ] && [ -x "$P" ]; then return 0; fi
	done
	return 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# phys DIR: leaves its physical path in P.
phys() {
	cd -P "$1" 2>/dev/null || return 1
	P=$PWD
	cd / || return 1
}

link() {
	phys "$1" || return 1
	printf '@@ link %s %s\n' "${1#"$R"}" "${P#"$R"}"
}

# hops PHYSICAL: how fast each bus on the way up to the root says it is.
hopped=' '
hops() {
	h=$1
	while :; do
		case $h in
		"$S"/devices | "$S" | "$R" | / | '') break ;;
		esac
		case $hopped in
		*" $h "*) break ;;
		esac
		hopped="$hopped$h "
		if [ -e "$h/current_link_speed" ]; then
			files "$h" current_link_speed current_link_width removable
		fi
		if [ -e "$h/busnum" ]; then files "$h" busnum speed; fi
		case ${h##*/} in
		*:*) ;;
		ata[0-9]*) files "$h" 'link*/ata_link/*/sata_spd' ;;
		mmc[0-9]*) files "$S/kernel/debug/${h##*/}" ios ;;
		esac
		case ${h##*/} in
		port-*)
			for q in "$h"/phy-*/sas_phy/*; do files "$q" negotiated_linkrate; done
			;;
		esac
		h=${h%/*}
	done
}

printf '@@ assay-facts 1\n'
ask date date +%s.%N

# The system, and what is long of the processor and memory.
bulk "$R/etc/os-release" "$R/usr/lib/os-release" "$R/proc/device-tree/model" "$R/proc/1/cgroup" \
	"$R/proc/cmdline" "$R/proc/cpuinfo" "$R/proc/self/status" "$R/proc/meminfo" "$R/proc/swaps" "$R/run/udev/data/+dmi:id"
files "$R/proc/sys/kernel" hostname osrelease random/boot_id io_uring_disabled io_uring_group
files "$R/proc/sys" vm/swappiness vm/dirty_ratio vm/dirty_background_ratio vm/zone_reclaim_mode \
	kernel/numa_balancing fs/aio-max-nr net/core/rmem_max net/core/wmem_max net/core/netdev_max_backlog \
	net/core/default_qdisc net/ipv4/tcp_rmem net/ipv4/tcp_wmem net/ipv4/tcp_congestion_control net/ipv4/tcp_timestamps
files "$S/kernel/mm/transparent_hugepage" enabled
list "$S/class/iommu"
files "$S/class/dmi/id" sys_vendor product_name product_version board_vendor board_name \
	bios_vendor bios_version bios_date
files "$S/hypervisor" type
files "$R/run/systemd" container
seen "$R/run/.containerenv" "$R/.dockerenv" "$R/proc/device-tree/hypervisor" \
	"$S/firmware/efi" "$R/proc/pressure/cpu" "$R/run/systemd/timesync" "$R/run/systemd/timesync/synchronized"
ask uname uname -m
ask id id -u
ask groups id -G
if have systemd-detect-virt; then
	run virt systemd-detect-virt -v
	run container systemd-detect-virt -c
fi
if [ ! -e "$R/run/systemd/timesync/synchronized" ]; then
	if have chronyc; then
		run chrony chronyc -n tracking
	elif have timedatectl; then
		run timedatectl timedatectl show -p NTPSynchronized
	fi
fi
if [ -w "$R/proc/sys/vm/drop_caches" ]; then
	printf '@@ seen writable:/proc/sys/vm/drop_caches\n'
fi
for p in apt-get dnf pacman apk; do
	if have "$p"; then
		printf '@@ packager %s\n' "$p"
		break
	fi
done

# Limits of the control groups that hold this process, and of all above them. One
# outside of this container has no path here.
seen "$S/fs/cgroup/cgroup.procs" "$S/fs/cgroup/unified/cgroup.procs"
while IFS=: read -r _ controllers group; do
	case ,$controllers, in
	,,) mounts='. unified' names='cpu.max memory.max memory.high io.max' ;;
	*,cpu,*) mounts=$controllers names='cpu.cfs_quota_us cpu.cfs_period_us' ;;
	*,memory,*) mounts=$controllers names=memory.limit_in_bytes ;;
	*,blkio,*) mounts=$controllers names='blkio.throttle.*_device' ;;
	*) continue ;;
	esac
	for mount in $mounts; do
		above=$group
		while :; do
			if [ -d "$S/fs/cgroup/$mount$above" ]; then files "$S/fs/cgroup/$mount${above%/}" "$names"; fi
			[ -n "${above%/}" ] || break
			above=${above%/*}
		done
	done
done 2>/dev/null <"$R/proc/self/cgroup"

# The processor.
C=$S/devices/system/cpu
files "$C" online intel_pstate/no_turbo cpufreq/boost 'vulnerabilities/*' \
	'cpu[0-9]*/topology/physical_package_id' 'cpu[0-9]*/topology/thread_siblings_list' \
	'cpu[0-9]*/cache/index[0-9]*/level' 'cpu[0-9]*/cache/index[0-9]*/type' \
	'cpu[0-9]*/cache/index[0-9]*/size' 'cpu[0-9]*/cache/index[0-9]*/shared_cpu_list' \
	'cpufreq/policy*/scaling_governor' 'cpufreq/policy*/scaling_driver' \
	'cpu0/cpuidle/state*/name' 'cpu0/cpuidle/state*/disable' \
	'cpufreq/policy*/cpuinfo_min_freq' 'cpufreq/policy*/cpuinfo_max_freq'
files "$S/class/powercap/intel-rapl:0" 'constraint_*_name' 'constraint_*_time_window_us'

# Memory.
if have dmidecode; then run dmidecode dmidecode -t 17; fi

# Block devices.
bulk "$R/proc/mdstat"
list "$S/bus/thunderbolt/devices"
files "$S/class/block" '*/size' '*/hidden' '*/dev' '*/ro' '*/partition' '*/queue/rotational' \
	'*/queue/write_cache' '*/queue/scheduler' '*/serial' '*/dm/name' '*/dm/uuid' '*/md/level' \
	'*/loop/backing_file' '*/device/model' '*/device/vendor' '*/device/serial' '*/device/rev' \
	'*/device/firmware_rev' '*/device/type' '*/device/name' '*/device/fwrev'
for d in "$S"/class/block/*; do
	case ${d##*/} in
	ram[0-9]* | loop[0-9]*)
		read -r n <"$d/size"
		if [ "$n" = 0 ]; then continue; fi
		;;
	esac 2>/dev/null
	link "$d" || continue
	at=$P
	if [ -e "$d/partition" ]; then continue; fi
	list "$d/slaves"
	{ read -r mm <"$d/dev"; } 2>/dev/null && bulk "$R/run/udev/data/b$mm"
	# Under native multipath a namespace hangs on a subsystem, and that on its controllers.
	for c in "$d/device" "$d"/device/nvme[0-9]*; do
		[ -e "$c/transport" ] && phys "$c" || continue
		printf '@@ link %s/controller %s\n' "${d#"$R"}" "${P#"$R"}"
		files "$d" "${c#"$d/"}/transport"
		at=$P
		break
	done
	hops "$at"
done
# What zvols lie on: udev names each after its pool.
for d in "$R"/dev/zvol/*; do
	if [ -d "$d" ] && have zpool; then run "zvols.${d##*/}" zpool list -vHPL "${d##*/}"; fi
done

# Network interfaces.
files "$S/class/net" '*/operstate' '*/speed' '*/duplex' '*/mtu' \
	'*/bonding/mode' '*/bonding/slaves' '*/bonding_slave/state' '*/bonding_slave/mii_status'
for d in "$S"/class/net/*; do
	[ -d "$d" ] || continue
	link "$d/device" || continue
	hops "$P"
	link "$d/device/driver"
done

# Temperatures.
for d in "$S"/class/hwmon/hwmon*; do
	link "$d" || continue
	files "$d" name 'temp*_input' 'temp*_label'
	printf '@@ list %s/drives\n' "${d#"$R"}"
	for e in "$d"/device/block/* "$d"/device/nvme[0-9]*n[0-9]*; do
		if [ -d "$e" ]; then printf ' %s\n' "${e##*/}"; fi
	done
done
files "$S/class/thermal" 'thermal_zone*/type' 'thermal_zone*/temp'

# File systems and the directories that were asked about.
M=$R/proc/self/mountinfo
bulk "$M"
sed -n 's/.* - overlay .*[ ,]upperdir=\([^, ]*\).*/\1/p' "$M" 2>/dev/null | while IFS= read -r f; do
	seen "$R$f"
done
for d in "$S"/fs/btrfs/*-*; do
	list "$d/devices"
done
files "$S/module/zfs" version parameters/zfs_dio_enabled
zfs=
if have zfs && grep -q ' - zfs ' "$M" 2>/dev/null; then zfs=1; fi

count=${1:-0}
if [ $# -gt 0 ]; then shift; fi
i=0
while [ "$i" -lt "$count" ] && [ $# -gt 0 ]; do
	d=$1
	shift
	p=$d
	while [ -n "$p" ] && [ ! -d "$R$p" ]; do p=${p%/*}; done
	[ -n "$p" ] || p=/
	printf '@@ dir %s\n asked %s\n' "$i" "$d"
	if phys "$R$p"; then
		P=${P#"$R"}
		printf ' real %s\n' "${P:-/}"
	else
		printf ' real %s\n' "$p"
	fi
	if [ -d "$R$d" ]; then printf ' exists\n'; fi
	if [ -w "$R$p" ]; then printf ' writable\n'; fi
	run "df.$i" df -P -k "$R$p"
	run "inodes.$i" df -P -i "$R$p"
	if [ -n "$zfs" ]; then
		run "zfs.$i" zfs get -Hp -o name,property,value \
			recordsize,compression,sync,primarycache,logbias,dedup,atime,volblocksize "$R$p"
		pool=$(printf '%s\n' "$text" | sed -n '1s/[/	].*//p')
		if [ "$code" = 0 ] && [ -n "$pool" ]; then run "zpool.$i" zpool list -vHPL "$pool"; fi
		# Before 2.3 there is no such property, and a list with it gives nothing.
		run "zfsdirect.$i" zfs get -Hp -o name,property,value direct "$R$p"
	fi
	i=$((i + 1))
done

# Programs.
for t in "$@"; do
	printf '@@ tool %s\n' "$t"
	where "$t" || continue
	printf ' %s\n' "$P"
	case $(head -c 4 "$P" 2>/dev/null) in
	'#!'*) printf ' script\n' ;;
	esac
	run "version.$t" "$t" --version
done
ask ended date +%s.%N

printf '@@ end\n'
