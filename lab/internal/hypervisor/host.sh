# Makes a hypervisor of a host: a bridge over its interface on the storage network, which
# has the address $1 then, and a libvirtd with the uuid $2 that listens on TCP there.
# /var/lib/lab is for what guests boot from.
set -eu
PATH=$PATH:/usr/sbin:/sbin
ip link add br0 type bridge
ip addr flush dev eth1
ip link set eth1 master br0 up
ip addr add "$1/24" dev br0
ip link set br0 up
mkdir -p /dev/net /var/lib/lab /var/log/libvirt/qemu
mknod -m 666 /dev/net/tun c 10 200
# What the package libvirt-daemon-system would bring.
echo 'libvirt-qemu:x:64055:64055::/:/usr/sbin/nologin' >>/etc/passwd
echo 'libvirt-qemu:x:64055:' >>/etc/group
cat >/etc/libvirt/qemu.conf <<'CONF'
security_driver = "none"
user = "root"
group = "root"
dynamic_ownership = 0
remember_owner = 0
cgroup_controllers = []
namespaces = []
stdio_handler = "file"
CONF
cat >/etc/libvirt/libvirtd.conf <<CONF
listen_tls = 0
listen_tcp = 1
listen_addr = "$1"
auth_tcp = "none"
auth_unix_rw = "none"
host_uuid = "$2"
CONF
libvirtd --daemon --listen --pid-file /run/libvirtd.pid </dev/null >/run/libvirtd.log 2>&1 || { cat /run/libvirtd.log >&2; exit 1; }
n=0
until virsh -q -c qemu:///system list >/dev/null 2>&1; do
	n=$((n + 1))
	[ $n -lt 3000 ] || { cat /run/libvirtd.log >&2; exit 1; }
	sleep 0.1
done
