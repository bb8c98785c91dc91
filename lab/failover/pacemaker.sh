# pacemaker NUMBER ADDRESS OWN OTHER: makes a host one of two of a Pacemaker cluster that has
# ADDRESS on eth1 and prefers the first host. There is no fencing: the host that is cut off
# keeps the address where nobody reaches it.
set -eu
number=$1 address=$2 own=$3 other=$4
PATH=$PATH:/usr/sbin:/sbin
for d in /etc/corosync /var/lib/corosync /var/lib/pacemaker /var/log/pacemaker /var/log/corosync; do
	mkdir -p $d
	mount -t tmpfs lab $d
done
mkdir -p /run/crm /run/lock /run/resource-agents /var/lib/pacemaker/cib /var/lib/pacemaker/pengine /var/lib/pacemaker/blackbox /var/lib/pacemaker/cores
chown -R hacluster:haclient /run/crm /var/lib/pacemaker /var/log/pacemaker
first=$own second=$other
[ "$number" = 1 ] || first=$other second=$own
cat >/etc/corosync/corosync.conf <<END
totem {
	version: 2
	cluster_name: lab
	transport: udpu
	token: 1000
	consensus: 1200
}
nodelist {
	node {
		ring0_addr: $first
		name: host1
		nodeid: 1
	}
	node {
		ring0_addr: $second
		name: host2
		nodeid: 2
	}
}
quorum {
	provider: corosync_votequorum
	two_node: 1
	wait_for_all: 0
}
logging {
	to_stderr: yes
	to_syslog: no
}
END
# As much of systemctl as a service takes that is stopped and started.
cat >/usr/local/bin/systemctl <<'END'
#!/bin/sh
PATH=$PATH:/usr/sbin:/sbin
case $1 in
is-active) pgrep -x pacemakerd >/dev/null ;;
stop)
	pkill -TERM -x pacemakerd
	while pgrep -x pacemakerd >/dev/null; do sleep 0.1; done
	;;
start) pgrep -x pacemakerd >/dev/null || setsid pacemakerd </dev/null >/dev/null 2>&1 & ;;
esac
END
chmod 755 /usr/local/bin/systemctl
setsid corosync -f </dev/null >/run/corosync.log 2>&1 &
tries=0
until corosync-quorumtool -s >/dev/null 2>&1; do
	tries=$((tries + 1))
	[ $tries -lt 300 ] || { cat /run/corosync.log >&2; exit 1; }
	sleep 0.1
done
systemctl start pacemaker
tries=0
until crmadmin --timeout 1s --dc_lookup 2>/dev/null | grep -q host; do
	tries=$((tries + 1))
	[ $tries -lt 60 ] || { tail -n 30 /var/log/pacemaker/pacemaker.log >&2; exit 1; }
	sleep 1
done
[ "$number" = 1 ] || exit 0
crm_attribute --type crm_config --name stonith-enabled --update false
cibadmin --create --scope resources --xml-text '<primitive id="vip" class="ocf" provider="heartbeat" type="IPaddr2">
 <instance_attributes id="vip-params"><nvpair id="vip-ip" name="ip" value="'"$address"'"/><nvpair id="vip-mask" name="cidr_netmask" value="24"/><nvpair id="vip-nic" name="nic" value="eth1"/></instance_attributes>
 <operations><op id="vip-monitor" name="monitor" interval="2s"/></operations></primitive>'
cibadmin --create --scope constraints --xml-text '<rsc_location id="home" rsc="vip" node="host1" score="100"/>'
