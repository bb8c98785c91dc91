# Measures the way to the peers of this host's sessions. $1 pings of $2 bytes each; then
# addresses that are asked beside those of the sessions. It writes nothing.
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin
pings=$1 size=$2
shift 2
command -v ping >/dev/null 2>&1 || { echo 'absent not supported: ping is not installed'; exit 0; }
found=$({
	for a in "$@"; do echo "$a"; done
	cat /sys/class/iscsi_connection/*/persistent_address /sys/class/iscsi_connection/*/address
	sed -n 's/.*traddr=\([^,]*\).*/\1/p' /sys/class/nvme/*/address
	timeout 5 drbdsetup show | sed -n 's/.*_remote_host[^0-9]*\([0-9.]*\):.*/\1/p'
} 2>/dev/null | grep -E '^[0-9a-fA-F:.]+$' | grep -v '^127\.' | sort -u | head -n 4)
[ -n "$found" ] || { echo 'absent no data: this host has no session to another one'; exit 0; }
count() { cat "/sys/class/net/$1/$2" 2>/dev/null || echo 0; }
for peer in $found; do
	printf 'peer\t%s\n' "$peer"
	port=$(ip -o route get "$peer" 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p' | head -n 1)
	before=
	for c in statistics/rx_errors statistics/tx_errors statistics/rx_crc_errors carrier_changes; do before="$before $c=$(count "$port" "$c")"; done
	timeout -s INT 15 ping -n -q -c "$pings" -i 0.2 -W 1 -s "$size" "$peer" 2>&1 </dev/null | tail -n 3
	for b in $before; do
		more=$(($(count "$port" "${b%=*}") - ${b#*=}))
		c=${b%=*}
		[ "$more" -le 0 ] || printf 'grew\t%s\t%s\t%s\n' "$port" "${c##*/}" "$more"
	done
done
exit 0
