#!/bin/sh
# usage: build.sh
# Makes what a guest boots from into the user's cache, once, and prints the
# directory that holds it: a minimal Debian, its kernel, and an initial RAM disk
# that finds the one and starts the other. It takes some three minutes, needs
# root, and downloads 200 MB from Debian's mirror.
set -eu
version=12.1 # of Debian, and of what is done to it here
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/assay-lab
root=$cache/guest-$version
"$here"/../../scripts/need qemu-system-x86_64:qemu-system-x86 ssh:openssh-client ssh-keygen:openssh-client \
	mmdebstrap:mmdebstrap mkfs.ext4:e2fsprogs cpio:cpio flock:util-linux socat:socat libvirtd:libvirt-daemon virsh:libvirt-clients qemu-img:qemu-utils
mkdir -p "$cache"
exec 9>"$cache/guest.lock"
flock 9
if [ -e "$root/root.ext4" ]; then
	echo "$root"
	exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
	echo "the image of a guest is made by root alone" >&2
	exit 1
fi
work=$root.build
# What mmdebstrap mounts is in a namespace of its own, and gone with it.
trap 'rm -rf --one-file-system "$work"' EXIT
rm -rf --one-file-system "$work"
mkdir "$work"
system=$work/system
mmdebstrap --quiet --mode=root --variant=minbase --format=directory --aptopt='Acquire::Retries "3"' \
	--include=busybox-static,kmod,udev,openssh-server,dmsetup,cryptsetup-bin,mdadm,lvm2,dosfstools,e2fsprogs,util-linux,mount,fdisk,nvme-cli,fio \
	--dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
	--customize-hook='chroot "$1" sh -c "cd /tmp && apt-get download -qq \$(apt-cache depends linux-image-amd64 | sed -n s/.*Depends:.linux-image/linux-image/p)"' \
	--customize-hook="mv \"\$1\"/tmp/linux-image-*.deb \"$work/kernel.deb\"" \
	bookworm "$system" "deb http://deb.debian.org/debian bookworm main" \
	"deb http://deb.debian.org/debian-security bookworm-security main" >&2

# The kernel is unpacked and not installed: that would bring the tools that make
# an initial RAM disk. What no emulated machine has is left out.
(
	cd "$system"
	dpkg-deb --fsys-tarfile "$work/kernel.deb" | tar -x --keep-directory-symlink \
		--exclude='*/kernel/sound' --exclude='*/kernel/drivers/gpu' --exclude='*/kernel/drivers/media' --exclude='*/kernel/drivers/iio' \
		--exclude='*/kernel/drivers/infiniband' --exclude='*/kernel/drivers/net/wireless' --exclude='*/kernel/drivers/net/ethernet' \
		--exclude='*/kernel/drivers/staging' --exclude='./boot/System.map*' --exclude='./usr/share'
	mv boot/vmlinuz-* "$work/vmlinuz"
)
kernel=$(ls "$system/lib/modules")
chroot "$system" /sbin/depmod "$kernel"

install -m 755 "$here/boot.sh" "$system/etc/assay-boot"
printf '%s\n' '::sysinit:/etc/assay-boot' '::respawn:/usr/sbin/sshd -D -e' >"$system/etc/inittab"
rm -f "$system"/etc/ssh/ssh_host_*
# Most of what a script costs an emulated processor is dynamic linking: those that
# are started most are of BusyBox, which is static. Its shell would take more of them.
for applet in cat cut dd grep head ls mkdir readlink rm sed sleep stat tr; do
	ln -s ../../../bin/busybox "$system/usr/local/bin/$applet"
done
echo guest >"$system/etc/hostname"
# Slow hosts are given time: each login costs a second or two.
printf '%s\n' 'LoginGraceTime 300' 'UseDNS no' 'UsePAM no' 'PrintMotd no' 'MaxStartups 100' 'MaxSessions 100' \
	'HostKey /etc/ssh/ssh_host_ed25519_key' 'PermitRootLogin prohibit-password' >"$system/etc/ssh/sshd_config.d/assay.conf"

initrd=$work/initrd.d
mkdir -p "$initrd/bin" "$initrd/modules" "$initrd/proc" "$initrd/sys" "$initrd/dev" "$initrd/new"
cp "$system/bin/busybox" "$initrd/bin/busybox"
ln -s busybox "$initrd/bin/sh"
install -m 755 "$here/initrd.sh" "$initrd/init"
# ext4 looks for crc32c by name when it is loaded.
for module in crc32c_generic virtio_pci virtio_blk ext4; do
	chroot "$system" /sbin/modprobe --set-version "$kernel" --show-depends "$module"
done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
	cp "$system$file" "$initrd/modules/"
	echo "${file##*/}"
done >"$initrd/modules/order"
(cd "$initrd" && find . | cpio --quiet -o -H newc -R 0:0 | gzip -1) >"$work/initrd"

# A GiB to spare, which lies in no block until something is written.
mkfs.ext4 -q -L assay-root -d "$system" -E lazy_itable_init=0,lazy_journal_init=0 "$work/root.ext4" \
	"$(($(du -sm "$system" | cut -f1) + 1024))M" >&2
mkdir -p "$root"
# The file system last: it says that all is here.
mv "$work/vmlinuz" "$work/initrd" "$root/"
mv "$work/root.ext4" "$root/"
echo "$root"
