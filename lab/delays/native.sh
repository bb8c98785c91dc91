# usage: sh -c TEXT sh ADDRESS
#
# What a host of the bed has: an address on the cable, and a volume group on its drive.
set -e
modprobe -a sch_netem dm-mod
modprobe drbd usermode_helper=/bin/true
ip link set eth1 up
ip addr add "$1/24" dev eth1
vgcreate -q vms /dev/vda
mkdir -p /etc/drbd.d /var/lib/drbd
printf 'include "drbd.d/%s";\n' global_common.conf '*.res' >/etc/drbd.conf
echo 'global { usage-count no; }' >/etc/drbd.d/global_common.conf
