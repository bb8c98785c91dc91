# One step of a host: STEP HOST NUMBER FSID ADDRESS MONITOR…. Configuration and keys
# were written by what stands before this. Everything that is made lies on the host's
# own disk, so that its speed is that of Ceph.
step=$1 host=$2 number=$3 fsid=$4 address=$5
shift 5
at=/srv/bench/.ceph
mkdir -p "$at/mon" "$at/mgr" "$at/osd" /run/ceph /var/log/ceph
# A daemon goes on when this script ends: it lets go of what the script prints to.
daemon() { "$@" </dev/null >>/var/log/ceph/lab.log 2>&1; }
start_mon() { daemon ceph-mon -i "$host" --mon-data "$at/mon" --public-addr "$address" --pid-file /run/ceph/mon.pid; }
start_osd() { daemon ceph-osd -i "$number" --osd-data "$at/osd" --keyring "$at/osd/keyring" --pid-file /run/ceph/osd.pid; }
case $step in
monitor)
	monmaptool --create --fsid "$fsid" "$@" /etc/ceph/monmap >/dev/null
	ceph-mon --mkfs -i "$host" --mon-data "$at/mon" --monmap /etc/ceph/monmap --keyring /etc/ceph/all.keyring
	start_mon
	;;
osd)
	if [ "$number" = 0 ]; then
		cp /etc/ceph/mgr.keyring "$at/mgr/keyring"
		daemon ceph-mgr -i a --mgr-data "$at/mgr" --pid-file /run/ceph/mgr.pid
	fi
	uuid=$(cat /proc/sys/kernel/random/uuid)
	cp "/etc/ceph/$host.keyring" "$at/osd/keyring"
	# The numbers of the OSDs are given in the order in which they ask.
	tries=0
	until ceph --connect-timeout 20 osd new "$uuid" "$number" >/dev/null; do
		tries=$((tries + 1))
		[ "$tries" -lt 20 ]
		sleep 0.5
	done
	ceph-osd --mkfs -i "$number" --osd-data "$at/osd" --osd-uuid "$uuid" --keyring "$at/osd/keyring" >/dev/null
	start_osd
	ceph --connect-timeout 20 osd crush set-device-class ssd "$number" >/dev/null
	rm -f /etc/ceph/all.keyring /etc/ceph/mgr.keyring /etc/ceph/host*.keyring
	;;
again)
	for one in mon osd; do
		kill -0 "$(cat "/run/ceph/$one.pid")" 2>/dev/null || "start_$one"
	done
	;;
esac
