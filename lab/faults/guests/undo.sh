# Undoes what kinds do inside a host, and what dress.sh does to its disk.
if [ -e /run/behind ]; then
	while read -r pid; do kill -KILL "-$pid" "$pid" || :; done </run/behind 2>/dev/null
	rm /run/behind
fi
busybox adjtimex -q -t 10000 -f 0 >/dev/null
# To replace a tbf by a tbf would keep what befalls packets in it.
tc qdisc del dev "$NIC" root 2>/dev/null || :
tc qdisc del dev "$NIC" ingress 2>/dev/null || :
ip link del "$INCOMING" 2>/dev/null || :
ip link set "$NIC" mtu 1500
ip route flush scope global dev "$NIC"
ethtool -s "$NIC" speed 100 duplex full
for tries in 1 2 3 4 5 6 7 8 9 10; do
	! mountpoint -q "$DIR" || umount "$DIR" 2>/dev/null || { sleep 1; continue; }
	break
done
if [ -e /dev/mapper/bench ]; then
	mapped "0 {} linear $DISK 0"
	dmsetup remove --retry bench
fi
