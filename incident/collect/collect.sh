# Reads what a host knows of its own troubles, and writes nothing. $1 is how many seconds to
# look back. Each record begins with a line "@assay NAME"; what there is not says why.
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin
back=$1
record() { printf '\n@assay %s\n' "$1"; }
absent() { printf '\n@assay-absent %s\t%s\n' "$1" "$2"; }
have() { command -v "$1" >/dev/null 2>&1; }
# brief runs a command for at most $1 seconds.
brief() {
	seconds=$1
	shift
	if have timeout; then timeout -k 2 "$seconds" "$@"; else "$@"; fi
}
# bounded prints the last $2 bytes of what a command says within $1 seconds. One that asks
# a device that does not answer can't be ended, not even by KILL: it is left behind.
bounded() {
	seconds=$1 bytes=$2
	shift 2
	if ! have timeout; then
		"$@" 2>&1 </dev/null | tail -c "$bytes"
		return
	fi
	# The timeout of BusyBox ends sh alone: sh takes tail along, which else holds the output open.
	# Shells complain of whom they had to kill, which is no word of the tool's.
	# shellcheck disable=SC2016
	{
		timeout -k 1 "$((seconds + 4))" sh -c '
			seconds=$1 bytes=$2; shift 2
			timeout -k 2 "$seconds" "$@" 2>&1 </dev/null | tail -c "$bytes" &
			trap "kill -KILL $!; exit 124" TERM
			wait $!' sh "$seconds" "$bytes" "$@" \
			3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
	} 2>/dev/null || [ $? -lt 124 ] || echo "$1 did not end within $seconds s"
}
# tool runs a command for a record: NAME SECONDS BYTES COMMAND…
tool() {
	name=$1 seconds=$2 bytes=$3
	shift 3
	if ! have "$1"; then absent "$name" "not supported: $1 is not installed"; return; fi
	record "$name"
	bounded "$seconds" "$bytes" "$@"
}
# first puts the first line of a file into $got; it starts no program.
first() {
	got=
	[ -r "$1" ] && IFS= read -r got 2>/dev/null <"$1"
}
since=$(($(date +%s) - back))

if have journalctl && [ -n "$(brief 20 journalctl -n 1 -q --no-pager _TRANSPORT=kernel 2>/dev/null)" ]; then
	record 'kernel log'
	brief 40 journalctl -q --no-pager -o short-iso --since "@$since" _TRANSPORT=kernel 2>/dev/null | tail -c 6000000
	record 'service logs'
	brief 20 journalctl -q --no-pager -o short-iso --since "@$since" -p warning -n 20000 \
		-u iscsid -u corosync -u kubelet -u k3s -u k3s-agent -u 'ceph*' -u multipathd -u smartd -u zfs-zed -u drbd -u linstor-satellite 2>/dev/null | tail -c 2000000
else
	found=
	for form in '--time-format iso' -T ''; do
		# shellcheck disable=SC2086
		if [ -n "$(brief 10 dmesg $form 2>/dev/null | head -c 1)" ]; then
			record 'kernel log'
			# shellcheck disable=SC2086
			brief 10 dmesg $form 2>/dev/null | tail -c 6000000
			found=yes
			break
		fi
	done
	[ -n "$found" ] || absent 'kernel log' "failed: neither the journal nor dmesg can be read as $(id -un 2>/dev/null); run as root"
	absent 'service logs' 'no data: no systemd journal'
fi
if ls /sys/fs/pstore/* >/dev/null 2>&1; then
	record 'crash records (pstore)'
	cat /sys/fs/pstore/dmesg-* 2>/dev/null | tail -c 200000
else
	absent 'crash records (pstore)' 'no data'
fi

# A hypervisor answers for the disks of its guests.
first /sys/class/dmi/id/sys_vendor
vendor=$got
first /sys/class/dmi/id/product_name
if [ -n "$vendor$got" ]; then record machine; echo "DMI: $vendor $got"; else absent machine 'no data'; fi

tool 'block tree' 10 500000 lsblk -J -o NAME,TRAN,VENDOR,MODEL,TYPE,MOUNTPOINT
if [ -d /dev/disk/by-path ]; then record 'paths of disks'; ls -l /dev/disk/by-path 2>/dev/null | head -n 2000; else absent 'paths of disks' 'no data'; fi
record 'read-only mounts'
awk '$1 ~ "^/dev/" && ("," $4 ",") ~ ",ro," {print $1 " on " $2}' /proc/mounts 2>/dev/null | head -n 500
# Each device once; what is meant to be full, as images that are read only, is not.
record 'full file systems'
awk '($1 ~ "^/dev/" || $3 == "zfs") && $3 !~ /^(squashfs|iso9660|udf|erofs|cramfs|romfs)$/ && ("," $4 ",") ~ ",rw," && !seen[$1]++ {print $2}' /proc/mounts 2>/dev/null |
	head -n 300 | while read -r mount; do
	mount=$(printf '%b' "$mount")
	brief 5 df -P -k "$mount" 2>/dev/null | awk 'NR > 1 && $2 > 0 && $4 < 10240 && $4 * 1000 < $2 {d = $1; a = $4; s = $2; sub(/.*% +/, ""); print d " on " $0 ": file system full: " a " of " s " KiB left"}'
	brief 5 df -P -i "$mount" 2>/dev/null | awk 'NR > 1 && $2 > 0 && $4 == 0 {d = $1; s = $2; sub(/.*% +/, ""); print d " on " $0 ": file system full: none of " s " inodes left"}'
done
if ls -d /sys/block/dm-* >/dev/null 2>&1; then
	record 'mapped devices'
	for d in /sys/block/dm-*; do
		# A device is suspended for a moment whenever its table changes.
		for try in 1 2 3; do
			[ "$(cat "$d/dm/suspended" 2>/dev/null)" = 1 ] || continue 2
			[ "$try" = 3 ] || sleep 1
		done
		echo "${d##*/} ($(cat "$d/dm/name" 2>/dev/null)): device-mapper: suspended"
	done
	{
		for d in /sys/block/dm-*; do echo "@ ${d##*/} $(cat "$d/dm/name" 2>/dev/null)"; done
		have dmsetup && brief 10 dmsetup table 2>/dev/null
	} | awk '$1 == "@" {name[$3 ":"] = $2 " (" $3 ")"; next}
		$4 == "error" || $4 == "flakey" {print name[$1] ": device-mapper table: target " $4 " at sector " $2}
		$4 == "delay" && $7 + $10 > 0 {print name[$1] ": device-mapper table: target delay, " $7 " ms"}'
else
	absent 'mapped devices' 'no data'
fi
record 'loop devices'
for l in /sys/block/loop*/loop; do
	file=$(cat "$l/backing_file" 2>/dev/null) && [ -f "$file" ] || continue
	device=${l%/loop}
	# It may be detached between two reads.
	sectors=$(cat "$device/size" 2>/dev/null) && offset=$(cat "$l/offset" 2>/dev/null) || continue
	size=$((sectors * 512 + offset)) is=$(stat -L -c %s "$file" 2>/dev/null)
	[ "${is:-$size}" -lt "$size" ] && echo "${device##*/}: loop device of $size bytes, but its file $file has $is"
done

# answers says whether a disk is there, and an NVMe controller is in this machine and not
# about to be reset or connected to again: asked then, it would not answer.
answers() {
	[ -e "$1" ] || return 1
	first "$1/transport"
	[ "${got:-pcie}" = pcie ] || return 1
	[ -e "$1/transport" ] || return 0
	first "$1/state"
	[ "${got:-live}" = live ] || { echo "${1##*/}: not asked, its state is $got"; return 1; }
}
if have smartctl; then
	record 'SMART'
	for disk in /sys/block/sd* /sys/class/nvme/nvme*; do
		answers "$disk" || continue
		echo "smartctl -x /dev/${disk##*/}"
		bounded 20 60000 smartctl -n standby -x "/dev/${disk##*/}"
	done | head -c 2000000
elif have nvme; then
	record 'SMART'
	for disk in /sys/class/nvme/nvme*; do
		answers "$disk" || continue
		echo "nvme smart-log /dev/${disk##*/}"
		bounded 20 20000 nvme smart-log "/dev/${disk##*/}"
	done
else
	absent 'SMART' 'not supported: neither smartctl nor nvme is installed'
fi

record 'PCIe'
for d in /sys/bus/pci/devices/*; do
	first "$d/class"
	case $got in 0x01* | 0x02*) ;; *) continue ;; esac
	first "$d/current_link_width"; width=$got
	first "$d/max_link_width"; most=$got
	first "$d/current_link_speed"; speed=$got
	first "$d/max_link_speed"; fastest=$got
	if [ -n "$most" ] && [ "$width/$speed" != "$most/$fastest" ]; then
		echo "${d##*/}: available PCIe bandwidth, limited by x$width at $speed; the device can x$most at $fastest"
	fi
	[ -e "$d/aer_dev_correctable" ] || continue
	n=$(awk '/TOTAL_ERR_COR/ {print $2}' "$d/aer_dev_correctable" 2>/dev/null)
	[ "${n:-0}" -ge 100 ] && echo "${d##*/}: AER: Corrected errors since boot: $n"
	n=$(awk '/TOTAL_ERR_(NON)?FATAL/ {s += $2} END {print s + 0}' "$d/aer_dev_fatal" "$d/aer_dev_nonfatal" 2>/dev/null)
	[ "${n:-0}" -gt 0 ] && echo "${d##*/}: AER: Uncorrected errors since boot: $n"
done

if ls /sys/devices/system/edac/mc/mc[0-9]* >/dev/null 2>&1; then
	record 'memory errors (EDAC)'
	for m in /sys/devices/system/edac/mc/mc[0-9]*; do
		ce=$(cat "$m/ce_count" 2>/dev/null) ue=$(cat "$m/ue_count" 2>/dev/null)
		[ "${ce:-0}" -gt 0 ] && echo "EDAC ${m##*/}: $ce CE since boot"
		[ "${ue:-0}" -gt 0 ] && echo "EDAC ${m##*/}: $ue UE since boot"
	done
else
	absent 'memory errors (EDAC)' 'not supported: no memory controller reports errors'
fi

record 'heat'
n=$(cat /sys/devices/system/cpu/cpu*/thermal_throttle/package_throttle_count 2>/dev/null | sort -n | tail -n 1)
[ "${n:-0}" -gt 0 ] && echo "CPU package clock throttled $n times since boot"

record 'network ports'
for i in /sys/class/net/*; do
	[ -e "$i/device" ] || continue
	first "$i/carrier_changes"
	n=$got
	# The carrier of a port that is not up can't be read.
	first "$i/carrier"
	if [ "$got" = 0 ] && { [ -e "$i/master" ] || { have ip && ip -o address show dev "${i##*/}" 2>/dev/null | grep -q ' inet'; }; }; then
		echo "${i##*/}: port in use without a link"
	fi
	[ "${n:-0}" -ge 10 ] && echo "${i##*/}: link is down or up again: $n changes since boot"
	rx=$(cat "$i/statistics/rx_errors" 2>/dev/null) crc=$(cat "$i/statistics/rx_crc_errors" 2>/dev/null)
	tx=$(cat "$i/statistics/tx_errors" 2>/dev/null)
	dropped=$(cat "$i/statistics/rx_dropped" 2>/dev/null) || continue # it's gone
	echo "${i##*/}: speed $(cat "$i/speed" 2>/dev/null) Mb/s, rx_errors $rx, rx_crc_errors $crc, tx_errors $tx, rx_dropped $dropped"
done
if [ -r /proc/pressure/io ]; then
	record 'pressure (PSI)'
	for p in cpu memory io; do sed "s/^/$p /" "/proc/pressure/$p"; done
else
	absent 'pressure (PSI)' 'not supported: this kernel has no /proc/pressure'
fi

if [ -r /proc/mdstat ]; then record 'md'; head -n 200 /proc/mdstat; else absent 'md' 'not supported: no md arrays'; fi
tool 'ZFS' 15 200000 zpool status -v
tool 'LVM' 15 100000 lvs -a --config 'devices { ignore_suspended_devices = 1 }' -o lv_name,vg_name,lv_attr,data_percent,metadata_percent
tool 'DRBD' 10 200000 drbdadm status
if have iscsiadm; then tool 'iSCSI sessions' 10 400000 iscsiadm -m session -P 3; else absent 'iSCSI sessions' 'not supported: iscsiadm is not installed'; fi
if have ceph && [ -e /etc/ceph/ceph.conf ]; then tool 'Ceph' 15 200000 ceph --connect-timeout 10 health detail; else absent 'Ceph' 'not supported: no ceph client with a configuration'; fi
if have kubectl && brief 10 kubectl version >/dev/null 2>&1 </dev/null; then
	record 'Kubernetes'
	{
		brief 15 kubectl get events -A --field-selector type=Warning
		brief 15 kubectl get pods -A -o wide | grep -vE ' (Running|Completed) '
		brief 15 kubectl -n longhorn-system get volumes.longhorn.io -o custom-columns=NAME:.metadata.name,robustness:.status.robustness --no-headers 2>/dev/null | sed 's/^/longhorn volume robustness /'
	} 2>&1 </dev/null | tail -c 500000
else
	absent 'Kubernetes' 'not supported: no kubectl that reaches a cluster'
fi

if have last; then record 'reboots'; brief 10 last -x -F reboot shutdown 2>/dev/null | head -n 40; else absent 'reboots' 'not supported: last is not installed'; fi
if [ -r /var/log/dpkg.log ]; then record 'upgrades'; grep -hE ' upgrade | status installed linux-image' /var/log/dpkg.log 2>/dev/null | awk -v first="$(date -d "@$since" +%F 2>/dev/null)" '$1 >= first' | tail -n 200; else absent 'upgrades' 'no data: no /var/log/dpkg.log'; fi
exit 0
