package read

import (
	"slices"

	"assay/incident"
)

// actSignatures are commands, and what daemons log of them, that take something away from
// those who use it: a link, a path, a disk, a member.
var actSignatures = slices.Concat(
	said(incident.CutOff,
		"(reason 'user-requested'", "shutting down, reason=destroyed", "received signum (15), shutting down", "signal: Terminated from /sbin/init", "signal: Terminated from /usr/lib/systemd", "marked itself down", "Node was shut down by a signal",
		"ifdown ", "nmcli device disconnect ", "nmcli connection down ", "nmcli con down ", "netem loss ", "zpool offline ", "zpool destroy ", "mdadm --stop ", "wipefs -a", "wipefs --all", "sgdisk --zap", "sgdisk -Z ", "ceph osd out ", "ceph osd down ", "ceph orch daemon stop ", "ceph orch stop ", "gluster volume stop ", "gluster peer detach ",
		"drbdadm down ", "drbdadm disconnect ", "drbdadm detach ", "nvme disconnect", "multipath -f ", "etcdctl member remove ", "pvremove ", "exportfs -u", "umount -l ", "losetup -d ", "cryptsetup close ", "pcs node standby ", "crm node standby ", "pcs cluster stop", "virsh detach-disk ", "virsh detach-interface ",
	),
	[]signature{
		{has: "ip link set ", kind: incident.CutOff, device: iface, and: " down"},
		{has: "ip l set ", kind: incident.CutOff, device: iface, and: " down"},
		{has: "ifconfig ", kind: incident.CutOff, device: iface, and: " down"},
		{has: "iptables -", kind: incident.CutOff, device: nothing, or: []string{"-j DROP", "-j REJECT"}},
		{has: "nft add rule", kind: incident.CutOff, device: nothing, or: []string{" drop", " reject"}},
		{has: "/device/delete", kind: incident.CutOff, and: "echo 1"},
		{has: "/device/state", kind: incident.CutOff, and: "echo offline"},
		{has: "mdadm ", kind: incident.CutOff, or: []string{"--fail ", " -f /dev/", "--set-faulty"}},
		{has: "iscsiadm ", kind: incident.CutOff, device: nothing, or: []string{"--logout", " -u"}},
		{has: "targetcli ", kind: incident.CutOff, device: nothing, or: []string{" delete ", " clearconfig"}},
		{has: "starting task UPID:", kind: incident.CutOff, device: nothing, or: []string{":qmstop:", ":qmshutdown:", ":vzstop:", ":vzshutdown:", ":stopall:", ":srvstop:", ":qmdestroy:", ":imgdel:", ":cephdestroyosd:"}}, // Proxmox VE
		{has: "COMMAND=", kind: incident.CutOff, device: nothing, or: []string{"/poweroff", "/halt", "/wipefs", "/systemctl stop ", "/systemctl disable "}},                                                                 // sudo
		{has: "systemctl stop ", kind: incident.CutOff, device: nothing, or: []string{"corosync", "pve-cluster", "glusterd", "nfs-", "nfsd", "iscsid", "tgt", "target", "etcd", "kubelet", "containerd", "k3s", "rke2", "linstor", "mayastor", "multipathd", "networking", "NetworkManager", "chronyd", "minio", "pacemaker", "libvirtd", "network.service", "systemd-networkd"}},
	},
)
