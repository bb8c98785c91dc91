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
# tool runs a command for a record: NAME SECONDS BYTES COMMAND…
tool() {
	name=$1 seconds=$2 bytes=$3
	shift 3
	if ! have "$1"; then absent "$name" "not supported: $1 is not installed"; return; fi
	record "$name"
	brief "$seconds" "$@" 2>&1 </dev/null | tail -c "$bytes"
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

tool 'block tree' 10 500000 lsblk -J -o NAME,TRAN,VENDOR,MODEL,TYPE,MOUNTPOINT
if [ -d /dev/disk/by-path ]; then record 'paths of disks'; ls -l /dev/disk/by-path 2>/dev/null | head -n 2000; else absent 'paths of disks' 'no data'; fi
record 'read-only mounts'
awk '$1 ~ "^/dev/" && ("," $4 ",") ~ ",ro," {print $1 " on " $2}' /proc/mounts 2>/dev/null | head -n 500

if have smartctl; then
	record 'SMART'
	for disk in /sys/block/sd* /sys/class/nvme/nvme*; do
		[ -e "$disk" ] || continue
		echo "smartctl -x /dev/${disk##*/}"
		brief 20 smartctl -n standby -x "/dev/${disk##*/}" 2>&1 </dev/null | head -c 60000
	done | head -c 2000000
elif have nvme; then
	record 'SMART'
	for disk in /sys/class/nvme/nvme*; do
		[ -e "$disk" ] || continue
		echo "nvme smart-log /dev/${disk##*/}"
		brief 20 nvme smart-log "/dev/${disk##*/}" 2>&1 </dev/null | head -c 20000
	done
else
	absent 'SMART' 'not supported: neither smartctl nor nvme is installed'
fi

record 'PCIe'
for d in /sys/bus/pci/devices/*; do
	case $(cat "$d/class" 2>/dev/null) in 0x01* | 0x02*) ;; *) continue ;; esac
	width=$(cat "$d/current_link_width" 2>/dev/null) most=$(cat "$d/max_link_width" 2>/dev/null)
	speed=$(cat "$d/current_link_speed" 2>/dev/null) fastest=$(cat "$d/max_link_speed" 2>/dev/null)
	if [ -n "$most" ] && [ "$width/$speed" != "$most/$fastest" ]; then
		echo "${d##*/}: available PCIe bandwidth, limited by x$width at $speed; the device can x$most at $fastest"
	fi
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
	n=$(cat "$i/carrier_changes" 2>/dev/null)
	[ "${n:-0}" -ge 10 ] && echo "${i##*/}: link is down or up again: $n changes since boot"
	echo "${i##*/}: speed $(cat "$i/speed" 2>/dev/null) Mb/s, rx_errors $(cat "$i/statistics/rx_errors"), rx_crc_errors $(cat "$i/statistics/rx_crc_errors"), tx_errors $(cat "$i/statistics/tx_errors"), rx_dropped $(cat "$i/statistics/rx_dropped")"
done
if [ -r /proc/pressure/io ]; then
	record 'pressure (PSI)'
	for p in cpu memory io; do sed "s/^/$p /" "/proc/pressure/$p"; done
else
	absent 'pressure (PSI)' 'not supported: this kernel has no /proc/pressure'
fi

if [ -r /proc/mdstat ]; then record 'md'; head -n 200 /proc/mdstat; else absent 'md' 'not supported: no md arrays'; fi
tool 'ZFS' 15 200000 zpool status -v
tool 'LVM' 15 100000 lvs -a -o lv_name,vg_name,lv_attr,data_percent,metadata_percent
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
