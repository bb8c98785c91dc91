# joined puts the guest's second port under a bond, as servers have them: a bond says in
# the kernel's log when a port loses its cable, and an emulated port does not.
joined() {
	modprobe bonding max_bonds=0
	echo +bond0 >/sys/class/net/bonding_masters
	echo active-backup >/sys/class/net/bond0/bonding/mode
	echo 100 >/sys/class/net/bond0/bonding/miimon
	busybox ip link set eth1 down
	echo +eth1 >/sys/class/net/bond0/bonding/slaves
	busybox ip link set bond0 up
	busybox ip addr add "$ADDRESS/24" dev bond0
}
