#!/bin/busybox sh
# The initial RAM disk of the template and its clones: adds a guest agent, which is on a disk
# of its own, to the system on another, and starts that. A third is mounted at /srv.
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs devtmpfs /dev
while read -r module; do
	/bin/busybox insmod "/modules/$module"
done </modules/order

# find waits for the disk with a serial number.
find() {
	found=
	while [ -z "$found" ]; do
		for disk in /sys/block/vd*; do
			serial=
			[ -r "$disk/serial" ] && read -r serial <"$disk/serial"
			[ "$serial" != "$1" ] || found=/dev/${disk##*/}
		done
		[ -n "$found" ] || /bin/busybox sleep 0.1
	done
}

find assay-root
/bin/busybox mount -t ext4 -o noatime "$found" /new || exec /bin/busybox poweroff -f
find assay-data
/bin/busybox mount -t ext4 -o noatime "$found" /new/srv
find assay-agent
/bin/busybox mkdir /agent
/bin/busybox mount -t ext4 -o ro "$found" /agent
for file in sbin/qemu-ga lib/x86_64-linux-gnu/libglib-2.0.so.0 lib/x86_64-linux-gnu/libgmodule-2.0.so.0 lib/x86_64-linux-gnu/liburing.so.2; do
	[ -e "/new/usr/$file" ] || /bin/busybox cp "/agent/usr/$file" "/new/usr/$file"
done
/bin/busybox umount /agent

printf '%s\n' '::sysinit:/etc/assay-boot' '::respawn:/etc/assay-agent' >/new/etc/inittab
/bin/busybox cat >/new/etc/assay-boot <<'SH'
#!/bin/sh
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t tmpfs -o mode=755 tmpfs /run
mount -t tmpfs tmpfs /tmp
mkdir -p /dev/pts /dev/shm /run/lock
mount -t devpts -o gid=5,mode=620 devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
busybox hostname -F /etc/hostname
/lib/systemd/systemd-udevd --daemon
modprobe -a virtio_net virtio_console
busybox ip link set lo up
udevadm trigger --subsystem-match=block --action=add
udevadm settle --timeout=600
SH
/bin/busybox cat >/new/etc/assay-agent <<'SH'
#!/bin/sh
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
until [ -c /dev/virtio-ports/org.qemu.guest_agent.0 ]; do sleep 0.1; done
exec qemu-ga --statedir=/run --pidfile=/run/qemu-ga.pid
SH
/bin/busybox chmod 755 /new/etc/assay-boot /new/etc/assay-agent

for tree in proc sys dev; do
	/bin/busybox mount --move "/$tree" "/new/$tree"
done
exec /bin/busybox switch_root /new /bin/busybox init
