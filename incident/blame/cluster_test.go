package blame_test

import "testing"

// Logs of clusters, hypervisors and their operators, and the layer to blame for each.
func TestClusters(t *testing.T) {
	const session = " connection13:0: detected conn error (1022)\n session13: session recovery timed out after 3 secs\ndevice-mapper: multipath: 254:0: Failing path 8:16.\n"
	for name, c := range map[string]struct{ text, want string }{
		"an engine whose copies differ":            {"/dev/sdi: can't read superblock\nlevel=fatal msg=\"Failed to add replica to controller, err: Current replica's checkpoint not present in rwReplica chain\"\n", "replication engine"},
		"an iSCSI gateway whose Ceph is late":      {"tcmu-runner[1650]: tcmu_rbd_handle_timedout_cmd:669 rbd/rbd.vmware01: Timing out cmd.\ntcmu-runner[1650]: tcmu_notify_conn_lost:176 rbd/rbd.vmware01: Handler connection lost (lock state 1)\n", "replication engine"},
		"one that refuses logins meanwhile":        {"tcmu-runner: tcmu_rbd_handle_timedout_cmd:995 rbd/rbd.a: Timing out cmd.\nkernel: Unable to locate Target Portal Group on iqn.2019-10.com.redhat.iscsi-gw:iscsi-igw\nkernel: iSCSI Login negotiation failed.\n", "replication engine"},
		"one whose Ceph has a drive that fails":    {"tcmu-runner: tcmu_rbd_handle_timedout_cmd:995 rbd/rbd.a: Timing out cmd.\nata1.00: error: { UNC }\nata1.00: failed command: READ FPDMA QUEUED\n", "drive"},
		"a Mayastor that can't read its disk":      {"[2025-04-04T19:22:19.30+00:00 ERROR mayastor::spdk:bdev_aio.c:453] failed to complete aio: rc 0\n[2025-04-04T19:22:19.31+00:00 ERROR io_engine::bdev::nexus::nexus_io:nexus_io.rs:707] I/O Read at 10240(0)/256: child I/O failed\n", "? replication engine, ? drive, ? cable or link"},
		"an engine's error alone":                  {"level=error msg=\"Failed to sync Longhorn volume longhorn-system/pvc-1\"\n", "? replication engine"},
		"one that pods notice":                     {"level=error msg=\"Failed to sync Longhorn volume longhorn-system/pvc-1\"\nBack-off restarting failed container\n", "replication engine"},
		"a guest that asks for what is not there":  {"kvm: -device vfio-pci: group 7 is not viable\nPlease ensure all devices within the iommu_group are bound to their vfio bus driver.\nstart failed: QEMU exited with code 1\n", "operator"},
		"an engine above a drive that fails":       {"level=error msg=\"Failed to sync Longhorn volume longhorn-system/pvc-1\"\nnvme0n1: Read(0x2) @ LBA 1000, 8 blocks, Unrecovered Read Error (sct 0x2 / sc 0x81)\n", "drive"},
		"a replica that answers too late":          {"R/W Timeout. No response received in 16s\nSetting replica tcp://10.200.1.35:11671 to ERR\nI/O error: no backend available\n", "? replication engine, ? network"},
		"one whose disk is full":                   {"R/W Timeout. No response received in 16s\nwrite /var/lib/longhorn/x: no space left on device\n", "replication engine"},
		"a guest that does not start":              {"start failed: QEMU exited with code 1\n", "hypervisor"},
		"an emulated floppy":                       {"blk_update_request: I/O error, dev fd0, sector 0\n", "hypervisor"},
		"and a disk that fails as well":            {"blk_update_request: I/O error, dev fd0, sector 0\nata1.00: error: { UNC }\nata1.00: failed command: READ FPDMA QUEUED\n", "drive"},
		"virtual disks without an identifier":      {"multipathd[693]: sda: failed to get sgio uid: No such file or directory\n", "hypervisor"},
		"LACP on a card without speed":             {"bond0: Warning: No 802.3ad response from the link partner for any adapters in the bond\ncat: /sys/class/net/eth1/speed: Invalid argument\n", "hypervisor"},
		"LACP on another":                          {"bond0: Warning: No 802.3ad response from the link partner for any adapters in the bond\n", "? operator, ? network"},
		"a tunnel with wrong checksums":            {"UDP: bad checksum. From 172.16.9.99:27503 to 172.16.80.252:8472 ulen 75\n", "network"},
		"a name server that is silent":             {"lookup x on 10.43.0.10:53: read udp 10.42.0.3:3000->10.43.0.10:53: i/o timeout\n", "network"},
		"a name that does not exist":               {"dial tcp: lookup nas.lan on 10.0.0.1:53: no such host\n", "? network, ? operator"},
		"a portal that is not reached":             {"iscsi: failed to sendtargets to portal 10.152.183.62:3260\n", "? network, ? iSCSI, NVMe-oF or NFS session"},
		"one path of several":                      {session + "device-mapper: multipath: 254:0: Reinstating path 8:16.\n", "network"},
		"the path that stays lost":                 {session, "iSCSI, NVMe-oF or NFS session"},
		"a target that does not know a name":       {"login rejected: initiator error - target not found (02/03)\n", "operator"},
		"a node's own watchdog":                    {"watchdog-mux[1651]: client watchdog expired - disable watchdog updates\n", "? network, ? operator"},
		"a watchdog after a link that was lost":    {"corosync[1]: [KNET  ] link: host: 2 link: 0 is down\nwatchdog-mux[1651]: client watchdog expired - disable watchdog updates\n", "? network, ? operator"},
		"a rule that drops the cluster's packets":  {"root@pve1:~# iptables -A INPUT -p udp --dport 5405 -j DROP\ncorosync[1]: [KNET  ] link: host: 2 link: 0 is down\n", "operator"},
		"one that is given afterwards":             {"corosync[1]: [KNET  ] link: host: 2 link: 0 is down\nroot@pve1:~# iptables -A INPUT -p udp --dport 5405 -j DROP\n", "? network, ? operator"},
		"a drive that dies after an unrelated act": {"# ip link set eth1 down\nata1.00: error: { UNC }\nata1.00: failed command: READ FPDMA QUEUED\n", "drive"},
		"a firmware that knows nothing to boot":    {"Reboot and Select proper Boot device\nE: /etc/kernel/proxmox-boot-uuids does not exist.\n", "operator"},
		"a machine that boots nothing":             {"Reboot and Select proper Boot device\n", "? operator, ? drive, ? cable or link"},
		"a port that the switch took out":          {"%PM-4-ERR_DISABLE: bpduguard error detected on Gi1/0/5, putting Gi1/0/5 in err-disable state\n", "network"},
		"a service that does not answer":           {"dial tcp 10.96.0.1:443: i/o timeout\n", "? network"},
		"a card and a disk at once":                {"critical medium error\nDetected Tx Unit Hang\n", "? network, ? hypervisor"},
		"a card and the disk that hangs on it":     {"connection1:0: detected conn error (1020)\nblk_update_request: critical medium error, dev sdb, sector 1\nDetected Tx Unit Hang\n", "network"},
		"a card that is rather emulated":           {"e1000 0000:02:01.0 ens33: Detected Tx Unit Hang\n", "? hypervisor, ? network"},
		"an emulated card":                         {"DMI: VMware, Inc. VMware Virtual Platform\ne1000 0000:02:01.0 ens33: Detected Tx Unit Hang\n", "hypervisor"},
		"a pod without its command":                {"exec: \"mount.nfs\": executable file not found in $PATH: unknown\nBack-off restarting failed container\n", "operator"},
	} {
		if got := layers(judge(t, c.text)); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}
