#!/bin/sh
# What a guest does before its sshd starts. Its keys come with the machine, so
# that nothing that is cached opens any guest.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t tmpfs -o mode=755 tmpfs /run
mount -t tmpfs tmpfs /tmp
mkdir -p /dev/pts /dev/shm /run/sshd /run/lock /root/.ssh
mount -t devpts -o gid=5,mode=620 devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
busybox hostname -F /etc/hostname
# What udev would find out by asking after every device, which takes an emulated
# processor a minute.
/lib/systemd/systemd-udevd --daemon
modprobe -a qemu_fw_cfg virtio_net virtio_scsi sd_mod nvme ahci xhci_pci usb_storage
given=/sys/firmware/qemu_fw_cfg/by_name/opt/assay
cat "$given/authorized/raw" >/root/.ssh/authorized_keys
(umask 077 && cat "$given/host/raw" >/etc/ssh/ssh_host_ed25519_key)
busybox ip link set lo up
busybox ip addr add 10.0.2.15/24 dev eth0
busybox ip link set eth0 up
# Disks appear when their buses have been looked at, some of them late.
disks=$(cat "$given/disks/raw")
until [ "$(ls -d /sys/block/*/device | wc -l)" -ge "$disks" ]; do sleep 0.1; done
udevadm trigger --subsystem-match=block --action=add
udevadm settle --timeout=600
# Said when sshd listens: 0016 is port 22.
(
	until grep -q ':0016 .* 0A ' /proc/net/tcp; do sleep 0.1; done
	echo "assay guest is ready" >/dev/ttyS0
) &
