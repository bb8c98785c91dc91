#!/bin/sh
# usage: tools.sh [tools | ceph | agent | iscsi | drbd]
# Makes a disk with programs of the guest's Debian and their libraries, once, as a file
# system that a guest adds to its own: what it needs to be measured as a host of a cluster
# (iproute2, iperf3, ping, sysbench, ethtool), to be a client of Ceph, to be reached by its
# hypervisor (qemu-guest-agent), or to have disks over iSCSI (open-iscsi). Prints the file.
set -eu
name=${1:-tools}
case $name in
drbd) packages=drbd-utils ;;
tools) packages=iproute2,iperf3,iputils-ping,sysbench,ethtool ;;
ceph) packages=ceph-common ;;
agent) packages=qemu-guest-agent ;;
iscsi) packages=open-iscsi ;;
*)
	echo "usage: tools.sh [tools | ceph | agent | iscsi | drbd]" >&2
	exit 2
	;;
esac
here=$(cd "$(dirname "$0")" && pwd)
image=$("$here/build.sh")
made=$image/$name.ext4
exec 9>"$image/$name.lock"
flock 9
if [ -e "$made" ]; then
	echo "$made"
	exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
	echo "the tools of a guest are unpacked by root alone" >&2
	exit 1
fi
work=$image/$name.build
trap 'rm -rf --one-file-system "$work"' EXIT
rm -rf --one-file-system "$work"
mkdir "$work"
system=$work/system
mmdebstrap --quiet --mode=root --variant=extract --format=directory --aptopt='Acquire::Retries "3"' \
	--include=$packages \
	--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
	bookworm "$system" "deb http://deb.debian.org/debian bookworm main" \
	"deb http://deb.debian.org/debian-security bookworm-security main" >&2
tree=$work/tree
mkdir -p "$tree/usr"
cp -a "$system/usr/." "$tree/usr/"
# Debian 12 has /lib and /sbin as links into /usr.
for top in lib sbin bin; do
	if [ -d "$system/$top" ] && [ ! -L "$system/$top" ]; then
		mkdir -p "$tree/usr/$top"
		cp -a "$system/$top/." "$tree/usr/$top/"
	fi
done
rm -rf --one-file-system "$tree/usr/share" "$tree/usr/include"
mkfs.ext4 -q -L assay-$name -d "$tree" "$made.new" "$(($(du -sm "$tree" | cut -f1) + 32))M" >&2
mv "$made.new" "$made"
echo "$made"
