package read_test

import (
	"testing"

	"assay/incident"
)

// Messages of databases, managers of nodes, storage and power, and their tools, one line each
// as printed.
func TestDaemonsAndTools(t *testing.T) {
	for kind, lines := range map[incident.Kind][]string{
		incident.LeaseLost: {
			"E0325 11:08:47.205929       1 controllermanager.go:294] leaderelection lost",
			"failed to renew lease kube-system/kube-controller-manager: timed out waiting for the condition",
		},
		incident.NoConnect: {
			"pvestatd[1]: unable to activate storage 'nas' - directory '/mnt/pve/nas' does not exist or is unreachable",
			"unable to activate storage 'usb' - directory is expected to be a mount point but is not mounted: '/mnt/usb'",
		},
		incident.ClusterNet: {
			"corosync[1]:  [TOTEM ] The network interface is down.",
		},
		incident.CephScrub: {
			"log_channel(cluster) log [ERR] : 2.1f deep-scrub 1 errors",
		},
		incident.EDACCorrected: {
			"mcelog: Corrected memory errors on page 7c5b000 exceed threshold 10 in 24h",
		},
		incident.QuorumLost: {"Error: no online disks found for set with endpoints [/data1 /data2]"},
		incident.DRBDAlone:  {"| pvc-1 | pve2 | 7000 | Unused | StandAlone(pve1) | UpToDate | 2026-01-01 |"},
		incident.DRBDNet:    {"| pvc-1 | pve2 | 7000 | Unused | Connecting(pve1) | UpToDate | 2026-01-01 |"},
		incident.AppDamaged: {
			"2026-01-01 00:00:00.000 UTC [31] ERROR:  invalid page in block 0 of relation base/16384/2619",
			"PANIC:  could not locate a valid checkpoint record",
			`ERROR:  could not read block 32 in file "base/16384/2619": read only 0 of 8192 bytes`,
			"2024-01-07  9:42:10 0 [ERROR] InnoDB: Page [page id: space=0, page number=7] log sequence number 5187506 is in the future! Current system log sequence number 300306.",
			"2026-01-01 4:35 [ERROR] /usr/sbin/mysqld: Table './temp/flux_posts' is marked as crashed and should be repaired",
			"The system will rename the corrupt database file //config/home-assistant_v2.db to //config/home-assistant_v2.db.corrupt in order to allow startup to proceed", "[ERROR] mysqld: Aria recovery failed. Please run aria_chk -r on all Aria tables",
			"sqlite3.DatabaseError: database disk image is malformed",
			"k3s[1389]: panic: freepages: failed to get all reachable pages (page 846222707: out of bounds: 5568)",
			`{"level":"fatal","ts":"2026-01-01T00:00:00.000Z","caller":"etcdserver/storage.go:95","msg":"failed to read WAL, cannot be repaired","error":"walpb: crc mismatch"}`,
			`level=warn ts=2026-01-01T00:00:00.000Z caller=db.go:671 component=tsdb msg="Encountered WAL read error, attempting repair" err="read records: corruption in segment /prometheus/wal/00000012 at 98304: unexpected checksum 0, expected 8a"`,
			`level=error ts=2026-01-01T00:00:00.000Z caller=main.go:787 err="opening storage failed: /prometheus/chunks_head/000013: invalid magic number 0"`,
			"org.apache.lucene.index.CorruptIndexException: checksum failed (hardware problem?) : expected=335fe5fd actual=399b3f10",
			"Bad file format reading the append only file: make a backup of your AOF file, then use ./redis-check-aof --fix <filename>",
			"can't verify chunk, load failed - store 'pbs', unable to load chunk 'ab12' - detected chunk with wrong digest.",
			"error: object file .git/objects/4b/825dc642cb6eb9a060e54bf8d69288fbee4904 is empty",
		},
		incident.AppIO: {
			"[ERROR] [MY-012611] [InnoDB] Operating system error number 5 in a file operation.",
			"sqlite3.OperationalError: disk I/O error",
		},
		incident.SuddenStop: {
			"The system could not validate that the sqlite3 database at //config/home-assistant_v2.db was shutdown cleanly",
			"LOG:  database system was not properly shut down; automatic recovery in progress",
			"LOG:  database system was interrupted; last known up at 2026-01-01 00:00:00 UTC",
			"[Note] InnoDB: Starting crash recovery from checkpoint LSN=1234",
			"Journal file /var/log/journal/173da2fad3064e3e9211a7ed7d59360b/system.journal is truncated, ignoring file.",
			"File corruption detected at /var/log/journal/1/system.journal:c41d48 (of 16777216 bytes, 76%).",
		},
		incident.SlowSync: {
			"1:M 01 Jan 2026 00:00:00.000 * Asynchronous AOF fsync is taking too long (disk is busy?). Writing the AOF buffer without waiting for fsync to complete, this may slow down Redis.",
			`{"level":"warn","caller":"etcdserver/v3_server.go:897","msg":"waiting for ReadIndex response took too long, retrying","sent-request-id":1,"retry-timeout":"500ms"}`,
		},
		incident.NotScheduled: {`[2026-01-01T00:00:00,000][WARN ][o.e.t.ThreadPool] [es1] timer thread slept for [5.6s/5690ms] on absolute clock which is above the warn threshold of [5000ms]`},
		incident.NoSpace: {
			"[ERROR] InnoDB: Operating system error number 28 in a file operation.",
			"ClusterBlockException[index [x] blocked by: [FORBIDDEN/12/index read-only / allow delete (api)];]",
			"blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];",
			"[WARN ][o.e.c.r.a.DiskThresholdMonitor] [es1] high disk watermark [90%] exceeded on [a][es1][/data] free: 4gb[8.9%], shards will be relocated away from this node",
			"Storage backend has reached its minimum free drive threshold. Please delete a few objects to proceed.",
			"cannot create 'tank/x': out of space",
		},
		incident.AppNoMemory: {"LOG:  server process (PID 3108) was terminated by signal 9: Killed", "OOM command not allowed when used memory > 'maxmemory'."},
		incident.Segfault:    {"LOG:  server process (PID 3108) was terminated by signal 11: Segmentation fault"},
		incident.MemberLost: {
			"pve-ha-crm[1]: node 'pve2': state changed from 'unknown' => 'fence'",
			"[Warning] WSREP: no nodes coming from prim view, prim not possible", "  * Current DC: pve1 (version 2.1.5) - partition WITHOUT quorum", "  * Node node2: UNCLEAN (offline)", "pacemaker-fenced: We were allegedly just fenced by pve1 for pve1!",
		},
		incident.MemberLeft: {
			"pve-ha-crm[1]: node 'pve2': state changed from 'online' => 'unknown'", "pacemaker-controld[1]: notice: Our peer on the DC (pve2) is dead",
			`{"level":"warn","caller":"rafthttp/probing_status.go:68","msg":"prober detected unhealthy status","round-tripper-name":"ROUND_TRIPPER_SNAPSHOT"}`,
			`rpc error: code = Unavailable desc = etcdserver: leader changed`,
			"[WARN ][o.e.c.c.ClusterFormationFailureHelper] [elk] master not discovered or elected yet, an election requires at least 2 nodes",
			"  * OFFLINE: [ node2 ]",
			"pve-ha-lrm[1671]: unable to write lrm status file - unable to open file '/etc/pve/nodes/pve1/lrm_status.tmp.1671' - Permission denied",
			"ERROR: No active connection to satellite 'pve2'.", "| pve2 | SATELLITE | 10.0.0.2:3366 (PLAIN) | OFFLINE |",
		},
		incident.MountFailed: {
			"  Warning  FailedDetachVolume  2m  attachdetach-controller  DetachVolume.Detach failed for volume",
			`Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data kube-api-access-x]: timed out waiting for the condition`,
			`AttachVolume.Attach failed for volume "pvc-1" : timed out waiting for external-attacher of cephfs.csi.ceph.com CSI driver to attach volume 0001`,
			`rpc error: code = Aborted desc = an operation with the given Volume ID 0001-0009-rook-ceph already exists`,
			`failed to provision volume with StorageClass "longhorn": rpc error: code = DeadlineExceeded desc = context deadline exceeded`,
			`MapVolume.MapPodDevice failed for volume "pvc-1" : rpc error: code = Internal desc = x`,
		},
		incident.NodeNotReady: {
			`failed to reserve sandbox name "web-0_default_1_0": name is reserved for "ab12"`,
			`"Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 3m7.6s ago; threshold is 3m0s"`,
			"container runtime is down", "  Normal  TaintManagerEviction  2m  taint-eviction-controller  Marking for deletion Pod default/x",
			"0/3 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, 2 node(s) didn't have enough", `E0101 00:00:00.000000  1 kubelet_node_status.go:549] "Unable to update node status" err="update node status exceeds retry count"`,
			`failed to connect: dial unix /run/k3s/containerd/containerd.sock: connect: connection refused`,
			"Kubernetes node worker-2 not ready: NodeStatusUnknown",
		},
		incident.Rebooted:     {"  Warning  Rebooted  3m  kubelet  Node worker-2 has been rebooted, boot id: 6c1c5b7a-3c35", "reboot: Power down", "systemd-shutdown[1]: Rebooting."},
		incident.NoRoute:      {"time=\"2021-08-08T09:52:18Z\" level=error msg=\"Remotedialer proxy error\" error=\"websocket: close 1006 (abnormal closure)\"", "corosync-qdevice[1]: Can't connect to qnetd host", "backend redis_backend has no server available!", "Readiness probe failed: calico/node is not ready: BIRD is not ready: Error querying BIRD: unable to connect to BIRDv4 socket"},
		incident.DiskPressure: {"failed to garbage collect required amount of images. Attempted to free 1073741824 bytes, but only found 0 bytes eligible to free.", "Disk default-disk-1 (/var/lib/longhorn/) on the node pve2 has 10737418240 available, but requires reserved 32212254720, minimal 25% to schedule more replicas"},
		incident.OOM:          {"The node had condition: [MemoryPressure]. "},
		incident.Drained:      {"evicting pod default/web-0"},
		incident.Refused: {
			"0/3 nodes are available: 3 Insufficient memory. preemption: 0/3 nodes are available", "State change failed: (-12) Device is held open by someone", "iscsid: can't open InitiatorName configuration file /etc/iscsi/initiatorname.iscsi",
			"cannot destroy 'tank/x': dataset is busy", "TASK ERROR: no such logical volume pve/vm-100-disk-0", "TASK ERROR: volume 'local-zfs:vm-100-disk-0' does not exist", "Keepalived_vrrp[1]: (VI_1) received an invalid passwd!",
			"rbd: image has watchers - not removing", "qemu-system-x86_64: Host doesn't support requested features",
		},
		incident.CephFull: {
			"[WRN] POOL_NEAR_FULL: 1 pool(s) nearfull", "    2 pool(s) backfillfull", "bluefs _allocate allocation failed, unable to allocate 0x10000 on bdev 1", "osd.3 is near full at 88%", "log_channel(cluster) log [ERR] : full status failsafe engaged, dropping updates, now 97% full",
			"ceph_abort_msg(\"bluefs enospc\")",
		},
		incident.CephSlow:     {"REQUEST_STUCK 102722 stuck requests are blocked > 4096 sec", "    9 ops are blocked > 65.536 sec", "    osd.3 has stuck requests > 4194.3 sec"},
		incident.CephSlowPing: {"Slow OSD heartbeats on back from osd.0 [dc1,rack1] to osd.1 [dc1,rack1] 1118.001 msec possibly improving"},
		incident.CephDown:     {"OSD_HOST_DOWN 1 host (2 osds) down"},
		incident.CephMonDown:  {`2024-11-05 05:53:25.707091 W | op-mon: mon "b" not found in quorum, waiting for timeout (599 seconds left) before failover`, "rbd: couldn't connect to the cluster!", "mon.b@1(peon).paxos(paxos updating c 1051189..1051804) lease_timeout -- calling new election"},
		incident.CephDegraded: {"    pg 1.0 is stuck unclean for 3h, current state active+undersized, last acting [1,2]", "    pg 2.1f is incomplete, acting [3,1] (reducing pool rbd min_size from 2 may help; search ceph.com/docs for 'incomplete')", "1 MDSs report damaged metadata", "        1 mds daemon damaged"},
		incident.OSDStore:     {"2020-05-13 10:25:23.731 7f5d4436d700 -1 rocksdb: submit_common error: Corruption: block checksum mismatch: expected 717694145, got 2263389519  in db/001499.sst offset 4", "bluestore(/var/lib/ceph/osd/ceph-3) _read_bdev_label failed to open /var/lib/ceph/osd/ceph-3/block: (2) No such file or directory"},
		incident.EngineError:  {"(Node: 'pve1') Failed to adjust DRBD resource pvc-1", "  Warning  FailedSnapshotPurge  engine/pvc-1-e-0  x", "record diskUUID doesn't match the one on the disk"},
		incident.DRBDRefused:  {"r0: State change failed: (-7) Refusing to be Primary while peer is not outdated", "State change failed: (-10) State change was refused by peer node"},
		incident.DRBDDisk:     {"r0: Failure: (104) Can not open backing device."},
		incident.ReplicaError: {"Detected corrupted replica tcp://10.42.0.7:10000", "ReplicaSchedulingFailure: precheck new replica failed: disks are unavailable"},
		incident.EngineFault:  {"Engine of volume pvc-1 dead unexpectedly, reattach the volume", `level=error msg="Invalid gRPC metadata"`},
		incident.MDFailed:     {"mdadm[3967]: Fail event detected on md device /dev/md/0, component device /dev/sdf1"},
		incident.ISCSIConn:    {"iscsid: cannot make a connection to 10.0.0.5:3260 (-1,11)"},
		incident.ZFSFaulted:   {"status: One or more devices are faulted in response to persistent errors.", "Pool tank state is DEGRADED: One or more devices could not be used because the label is missing or invalid.", "The number of I/O errors associated with a ZFS device exceeded"},
		incident.ZFSChecksum:  {"  scan: scrub repaired 1.21M in 02:11:33 with 12 errors on Sun Jan 11 02:35:34 2026", "errors: 4 data errors, use '-v' for a list", "zed[1]: eid=7 class=data pool='tank' priority=0 err=52", "errors: Permanent errors have been detected in the following files:", "The number of checksum errors associated with a ZFS device"},
		incident.ZFSSuspended: {"zed[900]: eid=12 class=io_failure pool='tank'", "status: One or more devices are faulted in response to IO failures."},
		incident.ZFSIO:        {"zed[900]: eid=12 class=probe_failure pool='tank' vdev=sdc1"},
		incident.ZFSDamaged:   {"status: The pool cannot be imported due to damaged devices or data."},
		incident.HungTask:     {"pvestatd[1]: command '/sbin/vgs --separator : --noheadings' failed: got timeout", "systemd[1]: systemd-journald.service: Watchdog timeout (limit 3min)!", "Syncing filesystems and block devices - timed out, issuing SIGKILL to PID 812."},
		incident.BootMount:    {"systemd[1]: dev-disk-by\\x2duuid-1.device: Job dev-disk-by\\x2duuid-1.device/start timed out.", "You are in emergency mode. After logging in, type \"journalctl -xb\" to view", "Dependency failed for mnt-data.mount - /mnt/data."},
		incident.RootMissing:  {"Timed out waiting for device dev-disk-by\\x2duuid-489ad4c6.device - /dev/disk/by-uuid/489ad4c6."},
		incident.Stopped:      {"systemd-logind[700]: Power key pressed short."},
		incident.NICDown:      {"Keepalived_vrrp[1]: Netlink reports eth0 down"},
		incident.HypervisorError: {
			"TASK ERROR: timeout waiting on systemd", "error: Unable to read from monitor: Connection reset by peer",
		},
		incident.UPSSilent:      {"upsmon[10773]: Poll UPS [ups@localhost] failed - Driver not connected", "upsd[800]: Can't connect to UPS [ups] (usbhid-ups-ups): No such file or directory"},
		incident.PowerLost:      {"upsmon[801]: Auto logout and shutdown proceeding", "2026-01-01 00:00:00 +0000  Battery failure. Emergency."},
		incident.CommandTimeout: {"node(lab3.eth3:8012): taking drive /disk1 offline: unable to write+read for 30.001s"},
		incident.ThinFull:       {"  Cannot create new thin volume, free space in thin pool thinpool/tp_thinpool reached threshold."},
		incident.Upgraded:       {"root@pve1:~# apt dist-upgrade", "unattended-upgrade[300]: Packages that will be upgraded: libc6 linux-image-amd64", "Setting up linux-image-6.1.0-18-amd64 (6.1.76-1) ..."},
		incident.CutOff: {
			"root@pve1:~# lvremove /dev/pve/vm-100-disk-0", "# dd if=/dev/zero of=/dev/sdb bs=1M count=100", "$ sudo mkfs.ext4 /dev/sdb1", "kubectl drain worker-2 --ignore-daemonsets", "# zpool detach tank sdc", "root@pve1:~# date -s '2020-01-01'", "# timedatectl set-ntp false",
			"pve1 pvedaemon[1]: <root@pam> starting task UPID:pve1:0000:00000:0000:qmreset:100:root@pam:", "nfsd: last server has exited, flushing export cache", "# echo 1 > /sys/bus/pci/devices/0000:03:00.0/remove",
		},
	} {
		for _, line := range lines {
			expectKind(t, line, kind)
		}
	}
}

// Messages of the same programs when nothing is wrong.
func TestDaemonsThatAreWell(t *testing.T) {
	for _, line := range []string{
		`"Skipping pod synchronization" err="[container runtime status check may not have completed yet, PLEG is not healthy: pleg has yet to be successful]"`,
		"qemu-system-x86_64: warning: host doesn't support requested feature: CPUID.80000001H:ECX.svm [bit 2]",
		"Timed out waiting for device dev-ttyS0.device - /dev/ttyS0.", "dev-tpmrm0.device: Job dev-tpmrm0.device/start timed out.", "  Warning  InvalidDiskCapacity  2m  kubelet  invalid capacity 0 on image filesystem", "  Normal  NodeHasNoDiskPressure  2m  kubelet  Node a status is now: NodeHasNoDiskPressure",
		"initiator reported error (15 - session exists)", "pmxcfs[1100]: [quorum] crit: quorum_initialize failed: 2", "errors: No known data errors", "  scan: scrub repaired 0B in 02:11:33 with 0 errors on Sun Jan 11 02:35:34 2026", "status: Some supported features are not enabled on the pool.",
		"ups.status: OL CHRG", "Communications with UPS ups@localhost established", "LARGE_OMAP_OBJECTS 1 large omap objects", "1 stray daemon(s) not managed by cephadm", "mons are allowing insecure global_id reclaim", "  WARNING: Sum of all thin volume sizes (1.20 TiB) exceeds the size of thin pool pve/data and the size of whole volume group (953.37 GiB).",
		"mdadm[800]: RebuildFinished event detected on md device /dev/md0, component device  mismatches found: 128 (on raid level 1)", "node.kubernetes.io/unreachable:NoExecute op=Exists for 300s", "systemd[1]: snapd.service: Watchdog timeout (limit 5min)!", "| pve1 | SATELLITE | 10.0.0.1:3366 (PLAIN) | Online |",
		"pvestatd[1]: status update time (25.310 seconds)", "log_channel(cluster) log [DBG] : 2.1f deep-scrub ok", "TASK ERROR: VM quit/powerdown failed - got timeout", "[INFO] plugin/ready: Still waiting on: \"kubernetes\"", "chronyd[700]: Selected source 10.0.0.1", "iscsid: connection1:0 is operational after recovery (1 attempts)", "LOG:  checkpoints are occurring too frequently (9 seconds apart)", "drbd r0/0 drbd0: disk( Inconsistent -> UpToDate )", "MDS_CLIENT_RECALL 1 clients failing to respond to cache pressure",
	} {
		if log := readAll(t, line+"\n"); len(log.Events) > 0 {
			t.Errorf("%s: %+v", line, log.Events)
		}
	}
}
