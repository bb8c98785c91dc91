# Makes a stand-in for a node of Proxmox VE of a host: qm and pvesh that answer about one VM, 101. What
# they remember is in /run/pve of the host with the address $1, which others reach by socat. A
# migration is three seconds of qm, and left half done where that is killed. It prints the log on stdin.
set -eu
mkdir -p /run/pve
cat >/run/pve/log
cat >/usr/local/sbin/pve-state <<'SH'
#!/bin/sh
# One question: the node that asks, a word, and more.
cd /run/pve
read -r node what more
case $what in
begin)
	if [ "$(cat node)" != "$node" ]; then
		echo "Configuration file 'nodes/$node/qemu-server/101.conf' does not exist"
	elif [ -s lock ]; then
		echo "VM is locked ($(cat lock))"
	else
		echo migrate >lock
		echo "$node" >task
		rm -f stop
	fi
	;;
stopped) [ ! -e stop ] || echo yes ;;
stop) : >stop ;;
end)
	echo "$more" >node
	: >lock
	: >task
	;;
*) cat "$what" ;;
esac
SH
cat >/usr/sbin/qm <<SH
#!/bin/sh
ask() { printf '%s\n' "\$(uname -n) \$*" | socat -t 20 - TCP:$1:7777; }
[ "\$1 \$2" = 'migrate 101' ] || exit 255
why=\$(ask begin)
if [ -n "\$why" ]; then
	echo "\$why" >&2
	exit 255
fi
n=0
while [ \$n -lt 30 ]; do
	if [ "\$(ask stopped)" = yes ]; then
		ask end "\$(uname -n)"
		echo "2025-11-14 21:47:50 ERROR: migration aborted (duration 00:00:10): interrupted by signal"
		echo "migration aborted" >&2
		exit 255
	fi
	sleep 0.1
	n=\$((n + 1))
done
ask end "\$3"
cat /run/pve/log
SH
cat >/usr/sbin/pvesh <<SH
#!/bin/sh
ask() { printf '%s\n' "\$(uname -n) \$*" | socat -t 20 - TCP:$1:7777; }
me=\$(uname -n)
case "\$1 \$2" in
"get /nodes/\$me/qemu/101/status/current")
	if [ "\$(ask node)" != "\$me" ]; then
		echo "Configuration file 'nodes/\$me/qemu-server/101.conf' does not exist" >&2
		exit 2
	fi
	printf '{"status":"running","qmpstatus":"running","maxmem":1048576,"ha":{"managed":0},"lock":"%s"}\n' "\$(ask lock)"
	;;
"get /nodes/\$me/tasks")
	if [ "\$(ask task)" = "\$me" ]; then
		printf '[{"upid":"UPID:%s:1:2:3:qmigrate:101:root@pam:","type":"qmigrate","id":"101"}]\n' "\$me"
	else
		echo '[]'
	fi
	;;
"get /nodes/\$me/qemu/101/migrate") echo '{"running":1,"local_disks":[],"local_resources":[]}' ;;
"delete /nodes/\$me/tasks/UPID:\$me:1:2:3:qmigrate:101:root@pam:") ask stop ;;
*)
	echo "no '\$1 \$2' handler" >&2
	exit 255
	;;
esac
SH
chmod 755 /usr/sbin/qm /usr/sbin/pvesh /usr/local/sbin/pve-state
