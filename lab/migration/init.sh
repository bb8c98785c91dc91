#!/bin/busybox sh
# The guest: it has an address, answers pings, and changes some memory every second.
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs devtmpfs /dev
while read -r module; do
	/bin/busybox insmod "/modules/$module"
done </modules/order
address=$(/bin/busybox sed -n 's/.*lab.address=\([0-9./]*\).*/\1/p' /proc/cmdline)
/bin/busybox ip link set lo up
/bin/busybox ip addr add "$address" dev eth0
/bin/busybox ip link set eth0 up
echo "lab guest is ready" >/dev/ttyS0
while :; do
	/bin/busybox dd if=/dev/urandom of=/memory bs=64k count=32 2>/dev/null
	/bin/busybox sleep 1
done
