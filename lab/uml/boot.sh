#!/bin/sh
# What a machine does before its sshd starts: lab/guest's boot.sh, where nothing is emulated.
# It is run with what was given to the machine mounted at /run/given.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
given=/run/given
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /tmp
mkdir -p /dev/pts /dev/shm /run/sshd /run/lock /root/.ssh
mount -t devpts -o gid=5,mode=620 devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t hostfs -o /usr/lib/uml/modules none /lib/modules
busybox hostname -F "$given/name"
/lib/systemd/systemd-udevd --daemon
cp "$given/key.pub" /root/.ssh/authorized_keys
(umask 077 && cp "$given/host-key" /etc/ssh/ssh_host_ed25519_key)
busybox ip link set lo up
for device in /sys/class/net/vec*; do
	n=${device##*vec}
	busybox ip link set "vec$n" name "eth$n"
done
busybox ip addr add 10.0.2.15/24 dev eth0
busybox ip link set eth0 up
for tree in /dev/ubd[b-z]; do
	[ -e "$tree" ] || continue
	mount -o ro "$tree" /mnt
	cp -an /mnt/usr /
	umount /mnt
done
ldconfig
modprobe virtio_blk
# A drive of lab/guest has a write cache, which its way here does not tell of.
for disk in /sys/block/vd*; do
	[ ! -e "$disk" ] || echo "write back" >"$disk/cache_type"
done
udevadm trigger --subsystem-match=block --action=add
udevadm settle --timeout=60
# Said when sshd listens: 0016 is port 22.
(
	until grep -q ':0016 .* 0A ' /proc/net/tcp; do sleep 0.1; done
	echo "assay guest is ready" >/dev/console
) &
echo '::respawn:/usr/sbin/sshd -D -e' >/etc/inittab
exec busybox init
