# What the scripts of kinds are made of. They get
#
#   HOST ADDRESS    the culprit, and its address on the network under test
#   PEER OTHERS     addresses there: of the other host of the fault, of all but the culprit
#   NIC INCOMING    its interface there, and the one that what arrives passes through
#   DEV             for sends: the one of the two that the fault's way passes through
#   MBIT            what the link carries, Mb/s
#   DISK DIR        its disk, and the directory on it that is measured
set -eu

# impair NETEM... is what befalls packets that pass through DEV.
impair() {
	if [ "$DEV" = "$NIC" ]; then
		tc qdisc replace dev "$DEV" parent 1:1 handle 10: netem limit 10000 "$@"
		return
	fi
	modprobe -a ifb act_mirred cls_matchall
	ip link show dev "$INCOMING" >/dev/null 2>&1 || ip link add "$INCOMING" type ifb
	ip link set "$INCOMING" up
	tc qdisc add dev "$NIC" ingress
	tc filter add dev "$NIC" parent ffff: matchall action mirred egress redirect dev "$INCOMING"
	tc qdisc replace dev "$INCOMING" root netem limit 10000 "$@"
}

# mapped TABLE has the kernel answer for the disk as the table says. {} is its size in
# sectors. What lies on it stays.
mapped() {
	size=$(blockdev --getsz "$DISK")
	echo "$1" | sed "s/{}/$size/g" | dmsetup reload bench
	dmsetup suspend --noflush --nolockfs bench
	dmsetup resume bench
}

# behind COMMAND runs it for as long as nothing is undone. What has the environment of a
# command over SSH ends with that: it is waited for until it has none.
behind() {
	: >>/run/behind
	before=$(wc -l </run/behind)
	{ env -i PATH="$PATH" setsid sh -c 'echo "$$" >>/run/behind; exec sh -c "$1"' sh "$1" & } </dev/null >/dev/null 2>&1
	until [ "$(wc -l </run/behind)" -gt "$before" ]; do sleep 0.1; done
}
