package read_test

import (
	"testing"

	"assay/incident"
)

// Refusals of cluster programs, one line each as printed.
func TestRefusedForms(t *testing.T) {
	for _, line := range []string{
		`Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "mount.nfs": executable file not found in $PATH: unknown`,
		`error: resource mapping not found for name: "x" namespace: "" from "a.yaml": no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"`,
		`Error from server (Forbidden): pods is forbidden: User "system:serviceaccount:default:x" cannot list resource "pods" in API group "" at the cluster scope`,
		`Error from server: admission webhook "validate.nginx.ingress.kubernetes.io" denied the request: host is already defined`,
		`MountVolume.SetUp failed for volume "config" : configmap "grafana-config" not found`,
		`  Warning  Failed  Error: secret "db-password" not found`,
		`  Warning  FailedScheduling  0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.`,
		`Failed to pull image "x:latest": rpc error: code = Unknown desc = Error response from daemon: manifest for x:latest not found: manifest unknown: manifest unknown`,
		`Failed to pull image "reg:5000/x": http: server gave HTTP response to HTTPS client`,
		`x509: certificate signed by unknown authority`,
		`E0101 kubelet: "command failed" err="failed to run Kubelet: misconfiguration: kubelet cgroup driver: \"systemd\" is different from docker cgroup driver: \"cgroupfs\""`,
		`[ERROR FileContent--proc-sys-net-bridge-nf-call-iptables]: /proc/sys/net/bridge/bridge-nf-call-iptables does not exist`,
		`[ERROR Port-6443]: Port 6443 is in use`,
		`Unable to update cni config: no networks found in /etc/cni/net.d`,
		`failed to find plugin "bridge" in path [/opt/cni/bin]`,
		`plugin type="flannel" failed (add): loadFlannelSubnetEnv failed: open /run/flannel/subnet.env: no such file or directory`,
		`listen tcp 0.0.0.0:80: bind: address already in use`,
		`etcdmain: member 8e9e05c52164694d has already been bootstrapped`,
		`rafthttp: request cluster ID mismatch (got a want b)`,
		`the member has been permanently removed from the cluster`,
		`etcdserver: mvcc: database space exceeded`,
		`panic: tocommit(21703) is out of range [lastIndex(16870)]. Was the raft log corrupted, truncated, or lost?`,
		`Error: unknown flag: --container-runtime`,
		`modprobe: FATAL: Module br_netfilter not found in directory /lib/modules/6.1.0-13-amd64`,
		`systemd-modules-load[300]: Failed to find module 'zfs'`,
		`standard_init_linux.go:228: exec user process caused: exec format error`,
		"iptables v1.8.7 (nf_tables): Couldn't load match `comment':No such file or directory",
		`2022-01-01T00:00:00 0 librados: client.admin authentication error (1) Operation not permitted`,
		`monclient(hunting): handle_auth_bad_method server allowed_methods [2] but i only support [2]`,
		`drbd r0 pve2: incompatible DRBD dialects: I support 86-101, peer wants 110-121`,
		`drbd r0: conn: incompatible after-sb-0pri settings`,
		`drbd r0/0 drbd0: The peer's disk size is too small! (100 < 200 sectors)`,
		`drbd r0: Authentication of peer failed, trying again.`,
		`'r0' not defined in your config (for this host).`,
		`ERROR: Description: Not enough available nodes`,
		`volume create: gv0: failed: /data/brick1 is already part of a volume`,
		`[posix.c:4630:init] 0-gv0-posix: Extended attribute trusted.glusterfs.volume-id is absent`,
		`exportfs: /data does not support NFS export`,
		`exportfs: /mnt/pool requires fsid= for NFS export`,
		`rpc.mountd[800]: refused mount request from 10.0.0.5 for /data (/data): unmatched host`,
		`mount: /mnt: bad option; for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.<type> helper program.`,
		`CIFS: VFS: \\nas Dialect not supported by server. Consider specifying vers=1.0 or vers=2.0 on mount`,
		`CIFS: Status code returned 0xc00000cc STATUS_BAD_NETWORK_NAME`,
		`iscsiadm: No records found`,
		`Unable to locate Target IQN: iqn.2003-01.org.linux-iscsi:x in Storage Node`,
		`Failed to write to /dev/nvme-fabrics: Invalid argument`,
		`driver name driver.longhorn.io not found in the list of registered CSI drivers`,
		`CSINode node1 does not contain driver driver.longhorn.io`,
		`nginx.service: Main process exited, code=exited, status=203/EXEC`,
		`dpkg: error processing package linux-image-6.1 (--configure):`,
		"error: symbol `grub_calloc' not found.",
		`Verification failed: (0x1A) Security Violation`,
		`RTNETLINK answers: File exists`,
		`Cannot find device "eth0"`,
		`FATAL:  database files are incompatible with server`,
		`could not access file "/var/lib/x": Permission denied`,
		`mkdir: cannot create directory '/data/x': Permission denied`,
		`open /var/lib/grafana/grafana.db: permission denied`,
		`NVRM: API mismatch: the client has the version 535.54.03, but this kernel module has the version 525.85.12.`,
		`iwlwifi 0000:03:00.0: no suitable firmware found!`,
		`bnx2x: [bnx2x_init_firmware:13557(eth0)]Can't load firmware file bnx2x/bnx2x-e2-7.13.1.0.fw`,
		`insmod: ERROR: could not insert module x.ko: Invalid module format`,
		`FATAL:  lock file "postmaster.pid" already exists`,
		`Another instance of x is running`,
		`Fatal: unable to create lock in backend: repository is already locked by PID `,
	} {
		expectKind(t, line, incident.Refused)
	}
}

// expectKind reads a line, which must yield one event of this kind.
func expectKind(t *testing.T, line string, kind incident.Kind) {
	t.Helper()
	if log := readAll(t, line+"\n"); len(log.Events) != 1 || log.Events[0].Kind != kind {
		t.Errorf("%s: %+v, not %s", line, log.Events, kind)
	}
}

// Messages of engines, hypervisors, initiators and commands, by kind.
func TestClusterForms(t *testing.T) {
	for kind, lines := range map[incident.Kind][]string{
		incident.EngineError: {
			`level=fatal msg="Failed to add replica to controller, err: Current replica's checkpoint not present in rwReplica chain, Shutting down..."`,
			`time="2026-01-01T00:00:00Z" level=error msg="Failed to sync Longhorn volume longhorn-system/pvc-1"`,
			"Waiting for volume share to be available",
			"nvme_ctrlr_keep_alive: *ERROR*: [nqn.2023-01.io.longhorn.spdk:x ,10.0.0.1,1] Submitting Keep Alive failed",
			"nvmf_tcp.c: *ERROR*: nvmf: disconnecting host due to keep alive timeout",
			"bdev_raid.c:2000:raid_bdev_fail: *ERROR*: raid bdev failed",
			"volume attach failed: volume pvc-1 is currently attached to different node pve2",
			"ERROR io_engine::bdev::nexus: rebuild failed",
			"HEALTH_ERR Module 'devicehealth' has failed: disk I/O error",
			"client x failing to respond to capability release",
			"drbd r0/0 drbd0: Online verify found 12 4k blocks out of sync!",
			"[2026-01-01] E [MSGID: 108008] gfid mismatch detected for <gfid:1>/x",
			"volume heal: failed: Another transaction is in progress for gv0. Please try again after some time.",
			"PX is not in quorum",
			"Cluster Shared Volume 'Volume1' ('vd1') has entered a paused state because of 'STATUS_CONNECTION_DISCONNECTED(c000020c)'.",
		},
		incident.HypervisorError: {
			"error: internal error: process exited while connecting to monitor: 2026-01-01 qemu-system-x86_64: -device vhost-vsock-pci: vhost-vsock: unable to set guest cid",
			"start failed: QEMU exited with code 1",
			"2026-01-01 00:00:00.000+0000: shutting down, reason=crashed",
			"qcow2: Marking image as corrupt: Data cluster offset 0x1 unaligned; further corruption events will be suppressed",
			"[vob.vm.x] esx.problem.vm.kill.unexpected.fault.failure",
			"Hyper-V-Worker 3040 'vm1' failed to start. (Virtual machine ID 1)",
			"libxl: error: libxl_create.c:1278:domcreate_rebuild_done: Domain 5:cannot (re-)build domain: -3",
			"(XEN) Domain 3 (vcpu#0) crashed on cpu#2:",
			"VBoxManage: error: The virtual machine 'x' has terminated unexpectedly during startup",
			"System reachability check failed at 2026-01-01",
		},
		incident.VirtualNoise: {
			"multipathd[693]: sda: failed to get sgio uid: No such file or directory", "multipathd[693]: sda: failed to get udev uid: Invalid argument",
			"blk_update_request: I/O error, dev fd0, sector 0", "Buffer I/O error on dev fd0, logical block 0, async page read", "floppy: error 10 while reading block 0",
		},
		incident.NICNoSpeed:  {"cat: /sys/class/net/eth1/speed: Invalid argument", "bond0: (slave eth1): failed to get link speed/duplex", "bonding: bond0: Warning: failed to get speed and duplex from eth1, assumed to be 100Mb/sec and Full."},
		incident.BadChecksum: {"UDP: bad checksum. From 172.16.9.99:27503 to 172.16.80.252:8472 ulen 75", "UDP: short packet: From 10.0.0.1:1 2/3 to 10.0.0.2:4"},
		incident.NameFails: {
			"dial tcp: lookup kubernetes.default on 10.43.0.10:53: read udp 10.42.0.3:3000->10.43.0.10:53: i/o timeout", ";; connection timed out; no servers could be reached", "curl: (6) Could not resolve host: example.org",
			"mount.nfs: Failed to resolve server nas: Temporary failure in name resolution", "[FATAL] plugin/loop: Loop (127.0.0.1:1 -> :53) detected for zone \".\"",
		},
		incident.PortalFails: {"iscsi: failed to sendtargets to portal 10.152.183.62:3260", "iscsiadm: Connection to Discovery Address 10.152.183.62 failed", "iscsiadm: Login I/O error, failed to receive a PDU"},
		incident.NoRoute:     {"Unable to connect to the server: dial tcp 10.10.20.55:6443: connect: host is down", "Unable to connect to the server: net/http: TLS handshake timeout", "rafthttp: lost the TCP streaming connection with peer a (stream Message reader)"},
		incident.SwitchFault: {
			"%PM-4-ERR_DISABLE: bpduguard error detected on Gi1/0/5, putting Gi1/0/5 in err-disable state", "%CDP-4-NATIVE_VLAN_MISMATCH: Native VLAN mismatch discovered on Gi1/0/1", "Keepalived_vrrp[1]: (VI_1) Entering FAULT STATE",
			"wireguard: wg0: Handshake for peer 1 (10.0.0.1:51820) did not complete after 5 seconds, retrying (try 2)", "ospfd: nbr 10.0.0.2: InactivityTimer", "%BGP-5-ADJCHANGE: neighbor 10.0.0.2 Down BGP Notification sent",
		},
		incident.MTUDiffers:  {"ping: local error: message too long, mtu=1500"},
		incident.NICDown:     {"[netCorrelator] esx.problem.net.connectivity.lost: Lost network connectivity on virtual switch vSwitch0"},
		incident.PathsLost:   {"[scsiCorrelator] esx.problem.storage.connectivity.lost: naa.1"},
		incident.MediumError: {"vmkernel: NMP: nmp_ThrottleLogForDevice:3867: Cmd 0x28 to dev naa.1 on path vmhba1:C0:T0:L0 Failed: H:0x0 D:0x2 P:0x0 Valid sense data: 0x3 0x11 0x0"},
		incident.PathBack:    {"device-mapper: multipath: 254:0: Reinstating path 8:16."},
		incident.CutOff: {
			"root@pve1:~# iptables -A INPUT -p udp --dport 5405 -j DROP", "# ip link set eth1 down", "$ sudo ip link set dev bond0 down", "device (eth0): state change: activated -> deactivating (reason 'user-requested', sys-iface-state: 'managed')",
			"pve1 pvedaemon[1]: <root@pam> starting task UPID:pve1:0000:00000:0000:qmstop:100:root@pam:", "2026-01-01 00:00:00.000+0000: shutting down, reason=destroyed", "echo 1 > /sys/block/sdb/device/delete", "mdadm /dev/md0 --fail /dev/sdb1",
			"[glusterfsd.c:1332:cleanup_and_exit] received signum (15), shutting down", "osd.3 marked itself down", "# systemctl stop corosync", "iscsiadm -m node -T iqn.x --logout",
		},
	} {
		for _, line := range lines {
			expectKind(t, line, kind)
		}
	}
}

// Similar messages of healthy machines.
func TestClusterFormsThatAreNone(t *testing.T) {
	for _, line := range []string{
		"systemd[1]: x.service: Can't open PID file /run/x.pid (yet?) after start: No such file or directory", "Lockdown: swapper/0: hibernation is restricted; see man kernel_lockdown.7", "zfs: module verification failed: signature and/or required key missing - tainting kernel",
		"Unknown kernel command line parameters \"BOOT_IMAGE=/boot/vmlinuz\", will be passed to user space.", "require_osd_release squid", "hv_netvsc 000d3a: eth0: VF slot 1 added", "floppy0: no floppy controllers found", "esx.audit.host.boot", "br_netfilter            32768  0",
		"drbd r0/0 drbd0 pve2: uuid_compare()=no-sync by rule=lost-quorum", "DRBD module version: 9.2.8", "firmware: direct-loading firmware rtl_nic/rtl8168g-2.fw", "bridge port 1(enp1s0) entered forwarding state", "NMP: nmp_RegisterDevice", "vmkernel: NMP: nmp_ThrottleLogForDevice:3867: Cmd 0x1a to dev mpx.1 on path vmhba32:C0:T0:L0 Failed: H:0x0 D:0x2 P:0x0 Valid sense data: 0x5 0x24 0x0", "esx.problem.hyperthreading.unmitigated", "noout flag(s) set", "# ip link set eth0 up", "iptables -A INPUT -j ACCEPT",
	} {
		if log := readAll(t, line+"\n"); len(log.Events) > 0 {
			t.Errorf("%s: %+v", line, log.Events)
		}
	}
}
