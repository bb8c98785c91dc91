package read

import (
	"slices"

	"assay/incident"
)

// actSignatures returns signatures for commands, and daemons' log lines about them, that
// take something away from its users: a link, a path, a disk, a member.
func actSignatures() []signature {
	return slices.Concat(
		said(incident.CutOff,
			"(reason 'user-requested'", "shutting down, reason=destroyed", "received signum (15), shutting down", "signal: Terminated from /sbin/init", "signal: Terminated from /usr/lib/systemd", "marked itself down", "Node was shut down by a signal",
			"ifdown ", "nmcli device disconnect ", "nmcli connection down ", "nmcli con down ", "netem loss ", "zpool offline ", "zpool destroy ", "mdadm --stop ", "wipefs -a", "wipefs --all", "sgdisk --zap", "sgdisk -Z ", "ceph osd out ", "ceph osd down ", "ceph orch daemon stop ", "ceph orch stop ", "gluster volume stop ", "gluster peer detach ",
			"drbdadm down ", "drbdadm disconnect ", "drbdadm detach ", "nvme disconnect", "multipath -f ", "etcdctl member remove ", "pvremove ", "exportfs -u", "umount -l ", "losetup -d ", "cryptsetup close ", "pcs node standby ", "crm node standby ", "pcs cluster stop", "virsh detach-disk ", "virsh detach-interface ",
			"netem delay ", "zpool export ", "zpool detach ", "zpool remove ", "zpool labelclear ", "zfs destroy ", "lvremove ", "vgremove ", "vgchange -an", "mdadm --zero-superblock ", "hdparm --security-erase ", "ip addr del ", "ip addr flush ", "ip route del ", "ip link del", "brctl delif ", "ovs-vsctl del-port ", "ufw enable", "ufw deny ",
			"docker volume rm ", "docker system prune", "kubectl drain ", "kubectl delete node ", "kubectl delete pv", "kubectl delete volume", "helm uninstall ", "linstor node delete ", "linstor resource delete ", "linstor node evacuate ", "ceph osd purge ", "ceph osd destroy ", "ceph-volume lvm zap ", "ceph orch host drain ", "qm destroy ", "pct destroy ", "rabbitmqctl stop_app",
			"nfsd: last server has exited",
		),
		[]signature{
			{has: "ip link set ", kind: incident.CutOff, device: iface, and: " down"},
			{has: "ip l set ", kind: incident.CutOff, device: iface, and: " down"},
			{has: "ifconfig ", kind: incident.CutOff, device: iface, and: " down"},
			{has: "iptables -", kind: incident.CutOff, device: nothing, or: []string{"-j DROP", "-j REJECT"}},
			{has: "nft add rule", kind: incident.CutOff, device: nothing, or: []string{" drop", " reject"}},
			{has: "dd if=", kind: incident.CutOff, and: " of=/dev/", or: []string{"/dev/zero", "random", ".iso", ".img"}},
			{has: "mkfs", kind: incident.CutOff, and: " /dev/", or: []string{"# mkfs", "$ mkfs", "sudo mkfs"}},
			{has: "/remove", kind: incident.CutOff, device: pci, and: "echo 1"},
			{has: "ip link set ", kind: incident.CutOff, device: iface, and: " mtu "},
			{has: "date ", kind: incident.CutOff, device: nothing, or: []string{"# date -s", "sudo date -s", "# date --set", "sudo date --set"}},
			{has: "timedatectl set-", kind: incident.CutOff, device: nothing, or: []string{"set-time", "set-ntp false", "set-ntp no", "set-ntp 0"}},
			{has: "/device/delete", kind: incident.CutOff, and: "echo 1"},
			{has: "/device/state", kind: incident.CutOff, and: "echo offline"},
			{has: "mdadm ", kind: incident.CutOff, or: []string{"--fail ", " -f /dev/", "--set-faulty"}},
			{has: "iscsiadm ", kind: incident.CutOff, device: nothing, or: []string{"--logout", " -u"}},
			{has: "targetcli ", kind: incident.CutOff, device: nothing, or: []string{" delete ", " clearconfig"}},
			{has: "starting task UPID:", kind: incident.CutOff, device: nothing, or: []string{":qmstop:", ":qmshutdown:", ":vzstop:", ":vzshutdown:", ":stopall:", ":srvstop:", ":qmdestroy:", ":imgdel:", ":cephdestroyosd:", ":qmreset:", ":qmreboot:", ":vzdestroy:", ":vzreboot:"}}, // Proxmox VE
			{has: "COMMAND=", kind: incident.CutOff, device: nothing, or: []string{"/poweroff", "/halt", "/wipefs", "/systemctl stop ", "/systemctl disable "}},                                                                                                                         // sudo
			{has: "systemctl stop ", kind: incident.CutOff, device: nothing, or: []string{"corosync", "pve-cluster", "glusterd", "nfs-", "nfsd", "iscsid", "tgt", "target", "etcd", "kubelet", "containerd", "k3s", "rke2", "linstor", "mayastor", "multipathd", "networking", "NetworkManager", "chronyd", "minio", "pacemaker", "libvirtd", "network.service", "systemd-networkd"}},
		},
	)
}
