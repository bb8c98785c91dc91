#!/bin/busybox sh
# The initial RAM disk of a guest: finds the disk that holds the system by its
# serial number, whatever other disks there are, and starts the system.
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs devtmpfs /dev
while read -r module; do
	/bin/busybox insmod "/modules/$module"
done </modules/order
root=
while [ -z "$root" ]; do
	for disk in /sys/block/vd*; do
		serial=
		[ -r "$disk/serial" ] && read -r serial <"$disk/serial"
		[ "$serial" != assay-root ] || root=/dev/${disk##*/}
	done
	[ -n "$root" ] || /bin/busybox sleep 0.1
done
/bin/busybox mount -t ext4 -o noatime "$root" /new || exec /bin/busybox poweroff -f
for tree in proc sys dev; do
	/bin/busybox mount --move "/$tree" "/new/$tree"
done
exec /bin/busybox switch_root /new /bin/busybox init
