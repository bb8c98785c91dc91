# usage: sh -c TEXT sh NAME ADDRESS DISK
#
# What a host of the bed has: a name, an address on the cable, and a pool on its drive. An
# emulated host is slow to answer a ping of DRBD's.
set -e
busybox hostname "$1"
modprobe -a sch_netem
ip link set eth1 up
ip addr add "$2/24" dev eth1
# ZFS would wait for other writers by 5 % of what the last commit took: more than was put in.
echo 0 >/sys/module/zfs/parameters/zfs_commit_timeout_pct
zpool create -f -o ashift=12 tank "$3"
zfs create -o primarycache=metadata -o compression=off tank/vms
echo 'global { usage-count no; } common { net { ping-timeout 300; } }' >/etc/drbd.d/global_common.conf
