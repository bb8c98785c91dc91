#!/bin/busybox sh
# The guest: it has an address, answers pings, changes some memory every second, writes to a disk
# that both hosts reach, and is reached through a guest agent.
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs devtmpfs /dev
/bin/busybox --install -s /bin
while read -r module; do
	insmod "/modules/$module"
done </modules/order
address=$(sed -n 's/.*lab.address=\([0-9./]*\).*/\1/p' /proc/cmdline)
ip link set lo up
ip addr add "$address" dev eth0
ip link set eth0 up
mkdir -p /run /tmp /var/tmp /var/run /dev/shm
until [ -b /dev/vda ]; do sleep 0.1; done
mount -t ext4 -o noatime /dev/vda /var/tmp
(
	until grep -q guest_agent /sys/class/virtio-ports/*/name; do sleep 0.1; done
	port=$(grep -l guest_agent /sys/class/virtio-ports/*/name)
	port=${port%/name}
	while :; do
		qemu-ga --statedir=/run --pidfile=/run/qemu-ga.pid --path="/dev/${port##*/}"
		sleep 1
	done
) </dev/null >/dev/null 2>&1 &
echo "lab guest is ready" >/dev/ttyS0
while :; do
	dd if=/dev/urandom of=/memory bs=64k count=32 2>/dev/null
	sleep 1
done
