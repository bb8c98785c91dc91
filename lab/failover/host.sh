# host ADDRESS OWN OTHER PRIORITY: makes a host one of two that have ADDRESS by turns: on vip0,
# by the stand-in /run/move, and by keepalived. The first has it.
set -eu
address=$1 own=$2 other=$3 second=$4
echo 1 >/proc/sys/net/ipv4/conf/all/arp_notify
echo 1 >/proc/sys/net/ipv4/conf/all/arp_ignore
ip link add vip0 link eth1 type macvlan mode bridge
cat >/run/vip <<END
# vip up | down. A host also answers by an address whose interface is down.
ip link set vip0 down
case \$1 in
up)
	ip address replace $address/24 dev vip0 noprefixroute
	ip link set vip0 up
	;;
down) ip address flush dev vip0 ;;
esac
END
cat >/run/move <<END
# move stop | start | running | take | leave
case \$1 in
stop)
	sh /run/vip down
	date +%s.%N >/run/down
	echo take | socat -u - UDP4:$other:7777
	;;
start)
	echo leave | socat -u - UDP4:$other:7777
	sh /run/vip up
	;;
running) ip -o address show dev vip0 up | grep -q . ;;
esac
END
# What stands in for the one that takes over: three seconds after it is told, and no sooner.
cat >/run/take <<'END'
sleep 3
[ -e /run/wanted ] || exit 0
sh /run/vip up
date +%s.%N >/run/up
END
cat >/run/other <<'END'
read -r word
case $word in
take)
	echo 1 >/run/wanted
	# socat ends what it began when there is nothing more to read.
	setsid sh /run/take </dev/null >/dev/null 2>&1 &
	;;
leave)
	rm -f /run/wanted
	sh /run/vip down
	;;
esac
END
if [ "$second" = 0 ]; then
	sh /run/vip up
else
	setsid socat UDP4-RECVFROM:7777,fork EXEC:'sh /run/other' </dev/null >/dev/null 2>&1 &
fi
state=BACKUP
[ "$second" = 1 ] || state=MASTER
cat >/run/keepalived.conf <<END
global_defs {
	router_id $own
	vrrp_garp_master_refresh 0
}
vrrp_instance lab {
	state $state
	interface eth1
	virtual_router_id 51
	priority $((100 - 10 * second))
	advert_int 1
	unicast_src_ip $own
	unicast_peer {
		$other
	}
	virtual_ipaddress {
		$address/24 dev eth1
	}
}
END
# As much of systemctl as a service takes that is stopped and started.
cat >/usr/local/bin/systemctl <<'END'
#!/bin/sh
[ "$1" != is-active ] || { pgrep -x keepalived >/dev/null; exit; }
case $1 in
stop)
	pkill -TERM -x keepalived
	while pgrep -x keepalived >/dev/null; do sleep 0.1; done
	;;
start) pgrep -x keepalived >/dev/null || keepalived -f /run/keepalived.conf -p /run/keepalived.pid -r /run/keepalived-vrrp.pid ;;
esac
END
chmod 755 /usr/local/bin/systemctl
