# What all hosts have: an address and a link that is bounded on the network under test,
# and a directory on a disk of the device mapper; and the same time, which the hardware
# clock tells to the second: theirs is set when one begins.
read -r second </sys/class/rtc/rtc0/since_epoch
now=$second
until [ "$now" != "$second" ]; do read -r now </sys/class/rtc/rtc0/since_epoch; done
busybox date -u -s "@$now" >/dev/null
modprobe -a sch_tbf sch_netem dm-mod dm-delay dm-flakey
ip address replace "$ADDRESS/24" dev "$NIC"
ip link set "$NIC" up
tc qdisc replace dev "$NIC" root handle 1: tbf rate "${MBIT}mbit" burst 64k latency 40ms
dmsetup create bench --table "0 $(blockdev --getsz "$DISK") linear $DISK 0"
udevadm settle
# Without a journal, which a disk that fails would end.
mkfs.ext4 -q -F -O ^has_journal -E nodiscard /dev/mapper/bench
mkdir -p "$DIR"
mount /dev/mapper/bench "$DIR"
