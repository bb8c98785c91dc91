# Takes down what a round has left, and fails where something stays.
set +e
echo 120 >/proc/sys/kernel/hung_task_timeout_secs
for name in $(dmsetup info -c --noheadings -o name,suspended 2>/dev/null | grep Suspended | cut -d: -f1); do dmsetup resume "$name"; done
if [ -e /run/clock ]; then
	date -s 'now - 3600 seconds' >/dev/null
	rm /run/clock
fi
umount -l /mnt/incident/inner /mnt/incident 2>/dev/null
losetup -D
[ ! -e /sys/module/drbd ] || [ ! -e /etc/drbd.d/r0.res ] || { drbdadm down r0; rm -f /etc/drbd.d/r0.res; }
nvme disconnect -n assay >/dev/null 2>&1
if command -v iscsiadm >/dev/null; then
	iscsiadm -m node --logout >/dev/null 2>&1
	for _ in $(seq 50); do
		[ "$(ls /sys/class/iscsi_session 2>/dev/null)" ] || break
		sleep 0.2
	done
	iscsiadm -m node -o delete >/dev/null 2>&1
fi
served=/sys/kernel/config/target/iscsi/iqn.2026-11.assay:one
if [ -d $served ]; then
	rm -f $served/tpgt_1/lun/lun_0/disk
	rmdir $served/tpgt_1/lun/lun_0 $served/tpgt_1/np/*
	rmdir $served/tpgt_1 $served /sys/kernel/config/target/core/iblock_0/assay
fi
target=/sys/kernel/config/nvmet
rm -f $target/ports/1/subsystems/assay
rmdir $target/ports/1 $target/subsystems/assay/namespaces/1 $target/subsystems/assay 2>/dev/null
mdadm --stop /dev/md0 >/dev/null 2>&1
for _ in 1 2 3; do dmsetup remove_all --force >/dev/null 2>&1; done # what stands on others first
for disk in $ONE $TWO; do
	wipefs -qa "$disk"
	dd if=/dev/zero of="$disk" bs=1M count=4 conv=notrunc,fsync 2>/dev/null
done
rmdir /run/groups/small 2>/dev/null
# The kernel counts how often a port lost its cable: a new port has lost none.
if [ "$(cat /sys/class/net/eth1/carrier_changes)" -gt 4 ]; then
	rmmod bonding
	port=$(basename "$(readlink -f /sys/class/net/eth1/device)")
	echo "$port" >/sys/bus/virtio/drivers/virtio_net/unbind
	echo "$port" >/sys/bus/virtio/drivers/virtio_net/bind
	joined
fi
set -e
if grep -E '/mnt/incident|^md0' /proc/mounts /proc/mdstat; then exit 1; fi
if [ "$(ls -d /sys/block/dm-* 2>/dev/null)" ]; then exit 1; fi
if [ "$(ls /sys/class/iscsi_session 2>/dev/null)" ]; then exit 1; fi
dmesg -C
