# usage: device PATH IMAGE BYTES READ-RATE WRITE-RATE READ-IOPS WRITE-IOPS
# Makes a block device of a node, and sees to it that no pod is faster on it than
# that. Version 1 of control groups bounds each group for itself, so that every
# new one of a pod needs its own bounds; version 2 bounds all that is below one.
[ ! -e "$1" ] || exit 0
truncate -s "$3" "$2"
loop=$(losetup --find --show "$2")
number=7:${loop#/dev/loop}
mknod -m 660 "$1" b 7 "${loop#/dev/loop}"
cat >"/run/lab/${1##*/}.sh" <<-'END'
	# usage: NUMBER READ-RATE WRITE-RATE READ-IOPS WRITE-IOPS
	cd /sys/fs/cgroup
	if [ -e cgroup.controllers ]; then
		word() { if [ "$1" = 0 ]; then echo max; else echo "$1"; fi; }
		until echo "$1 rbps=$(word "$2") wbps=$(word "$3") riops=$(word "$4") wiops=$(word "$5")" >kubepods/io.max; do sleep 0.3; done
		exit
	fi
	cd blkio
	# bound sets the bound of a group in the file of that name, where it is not set.
	bound() {
		[ "$3" != 0 ] || return 0
		while read -r device _; do [ "$device" != "$2" ] || return 0; done <"$1"
		echo "$2 $3" >"$1"
	}
	while :; do
		for g in kubepods kubepods/* kubepods/*/* kubepods/*/*/*; do
			[ -e "$g/cgroup.procs" ] || continue
			bound "$g/blkio.throttle.read_bps_device" "$1" "$2"
			bound "$g/blkio.throttle.write_bps_device" "$1" "$3"
			bound "$g/blkio.throttle.read_iops_device" "$1" "$4"
			bound "$g/blkio.throttle.write_iops_device" "$1" "$5"
		done 2>/dev/null # one that went meanwhile
		sleep 0.3
	done
END
sh /etc/lab/service.sh start "${1##*/}" sh "/run/lab/${1##*/}.sh" "$number" "$4" "$5" "$6" "$7"
