#!/bin/sh
# usage: zfs.sh
# Builds OpenZFS for the kernel of a guest, once, as a file system that a guest copies
# over its own: modules, tools and their libraries. Its licence keeps it out of Debian's
# kernel, so it is compiled: some fifteen minutes of one processor. Prints the file.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
image=$("$here/build.sh")
made=$image/zfs.ext4
"$here"/../../scripts/need debugfs:e2fsprogs
exec 9>"$image/zfs.lock"
flock 9
if [ -e "$made" ]; then
	echo "$made"
	exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
	echo "ZFS for a guest is built by root alone" >&2
	exit 1
fi
kernel=$(debugfs -R 'ls -p /lib/modules' "$image/root.ext4" 2>/dev/null | awk -F/ '$6 ~ /^[0-9]/ { print $6 }')
work=$image/zfs.build
trap 'rm -rf --one-file-system "$work"' EXIT
rm -rf --one-file-system "$work"
mkdir "$work"
system=$work/system
mmdebstrap --quiet --mode=root --variant=minbase --format=directory --components=main,contrib --aptopt='Acquire::Retries "3"' \
	--include="linux-headers-$kernel,dkms,python3-minimal,libc6-dev" --dpkgopt=force-unsafe-io \
	--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
	--customize-hook='mkdir "$1/debs" && chroot "$1" sh -c "cd /debs && apt-get download -qq zfsutils-linux libzfs4linux libzpool5linux libnvpair3linux libuutil3linux libtirpc3 libtirpc-common drbd-utils"' \
	--customize-hook='DEBIAN_FRONTEND=noninteractive chroot "$1" apt-get install -qq --yes --no-install-recommends zfs-dkms' \
	--customize-hook="chroot \"\$1\" sh -c 'ls /lib/modules/$kernel/updates/dkms/zfs.ko* 2>/dev/null || dkms install \$(dkms status zfs | head -n 1 | cut -d, -f1 | cut -d: -f1) -k $kernel'" \
	bookworm "$system" "deb http://deb.debian.org/debian bookworm main contrib" \
	"deb http://deb.debian.org/debian-security bookworm-security main contrib" >&2
tree=$work/tree
mkdir -p "$tree/usr/lib/modules/$kernel"
for deb in "$system"/debs/*.deb; do
	# BusyBox's init is no systemd; the tools are wanted, not their services.
	dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$tree" --exclude='./usr/share/*' --exclude='./var/*' --exclude='*/systemd/*' --exclude='./etc/init.d' --exclude='./etc/cron.d'
done
# Debian 12 has /lib and /sbin as links into /usr.
for top in lib sbin bin; do
	if [ -d "$tree/$top" ]; then
		mkdir -p "$tree/usr/$top"
		cp -a "$tree/$top/." "$tree/usr/$top/"
		rm -r "${tree:?}/$top"
	fi
done
cp -a "$system/usr/lib/modules/$kernel/updates" "$tree/usr/lib/modules/$kernel/"
mkfs.ext4 -q -L assay-zfs -d "$tree" "$made.new" "$(($(du -sm "$tree" | cut -f1) + 32))M" >&2
mv "$made.new" "$made"
echo "$made"
