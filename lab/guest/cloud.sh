#!/bin/sh
# usage: cloud.sh
# Makes a cloud image of the guest's Debian, once, and prints the file: a qcow2 that any BIOS
# boots, with Debian's cloud-init, as publishers of cloud images make theirs. BusyBox starts
# cloud-init in place of systemd, which takes an emulated processor minutes. It has a guest
# agent that nothing starts: whoever is answered by it had cloud-init read a seed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
image=$("$here/build.sh")
made=$image/cloud.qcow2
"$here"/../../scripts/need mmdebstrap:mmdebstrap mkfs.ext4:e2fsprogs debugfs:e2fsprogs cpio:cpio flock:util-linux sfdisk:fdisk qemu-img:qemu-utils \
	syslinux:syslinux mcopy:mtools mkfs.vfat:dosfstools
mbr=/usr/lib/syslinux/mbr/mbr.bin
[ -e $mbr ] || "$here"/../../scripts/need mbr.bin:syslinux-common
exec 9>"$image/cloud.lock"
flock 9
if [ -e "$made" ]; then
	echo "$made"
	exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
	echo "a cloud image is made by root alone" >&2
	exit 1
fi
work=$image/cloud.build
trap 'rm -rf --one-file-system "$work"' EXIT
rm -rf --one-file-system "$work"
mkdir "$work"
system=$work/system
mmdebstrap --quiet --mode=root --variant=minbase --format=directory --aptopt='Acquire::Retries "3"' \
	--include=busybox-static,kmod,udev,util-linux,mount,fdisk,e2fsprogs,dosfstools,iproute2,fio,cloud-init,cloud-guest-utils,qemu-guest-agent \
	--dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
	bookworm "$system" "deb http://deb.debian.org/debian bookworm main" \
	"deb http://deb.debian.org/debian-security bookworm-security main" >&2
debugfs -R "rdump /usr/lib/modules $system/usr/lib" "$image/root.ext4" 2>/dev/null
for applet in cat cut dd grep head ls mkdir readlink rm sed sleep stat tr; do
	ln -s ../../../bin/busybox "$system/usr/local/bin/$applet"
done
# Others are looked for on the network first, for minutes.
echo 'datasource_list: [NoCloud, None]' >"$system/etc/cloud/cloud.cfg.d/90_assay.cfg"
printf '%s\n' '::sysinit:/etc/assay-boot' '::once:/etc/assay-cloud' >"$system/etc/inittab"
cat >"$system/etc/assay-boot" <<'SH'
#!/bin/sh
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -o remount,rw /
mount -t tmpfs -o mode=755 tmpfs /run
mount -t tmpfs tmpfs /tmp
mkdir -p /dev/pts /dev/shm /run/lock
mount -t devpts -o gid=5,mode=620 devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
/lib/systemd/systemd-udevd --daemon
modprobe -a virtio_net virtio_console
busybox ip link set lo up
udevadm trigger --action=add
udevadm settle --timeout=600
SH
# The stages in which systemd starts it.
cat >"$system/etc/assay-cloud" <<'SH'
#!/bin/sh
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
exec >/dev/console 2>&1
cloud-init init --local
cloud-init init
cloud-init modules --mode=config
cloud-init modules --mode=final
SH
chmod 755 "$system/etc/assay-boot" "$system/etc/assay-cloud"

mkdir "$work/initrd.d"
(
	cd "$work/initrd.d"
	zcat "$image/initrd" | cpio -id --quiet
	sed '/^root=$/,/^done$/c\
root=/dev/vda2\
until [ -b "$root" ]; do /bin/busybox sleep 0.1; done' "$here/initrd.sh" >init
	find . | cpio --quiet -o -H newc -R 0:0 | gzip -1
) >"$work/initrd"

# A partition that the BIOS boots from, and the system behind it, which cloud-init lets grow.
boot=32 # MiB
size=$(($(du -sm "$system" | cut -f1) + 256))
mkfs.ext4 -q -L assay-cloud -d "$system" -E lazy_itable_init=0,lazy_journal_init=0 "$work/root.ext4" "${size}M" >&2
disk=$work/disk.raw
truncate -s "$((1 + boot + size + 1))M" "$disk"
printf '%s\n' "start=1MiB, size=${boot}MiB, type=c, bootable" "start=$((1 + boot))MiB, size=${size}MiB, type=83" | sfdisk -q "$disk"
dd if=$mbr of="$disk" conv=notrunc status=none
truncate -s "${boot}M" "$work/boot.vfat"
mkfs.vfat "$work/boot.vfat" >/dev/null
printf '%s\n' 'DEFAULT linux' 'LABEL linux' ' KERNEL vmlinuz' ' INITRD initrd' \
	' APPEND console=ttyS0 quiet net.ifnames=0 mitigations=off nokaslr no_timer_check panic=-1' >"$work/syslinux.cfg"
mcopy -i "$work/boot.vfat" "$image/vmlinuz" "$work/initrd" "$work/syslinux.cfg" ::
syslinux --install "$work/boot.vfat"
dd if="$work/boot.vfat" of="$disk" bs=1M seek=1 conv=notrunc,sparse status=none
dd if="$work/root.ext4" of="$disk" bs=1M seek="$((1 + boot))" conv=notrunc,sparse status=none
qemu-img convert -O qcow2 -c "$disk" "$made.new"
mv "$made.new" "$made"
echo "$made"
