package read_test

import (
	"testing"

	"assay/incident"
)

// Forms of lines, as the sources of kernels and tools have them, one of each that no public
// incident of the corpus has shown yet.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		line   string
		kind   incident.Kind
		device string
	}{
		// RAID controllers and their tools
		{"megaraid_sas 0000:01:00.0: 4143 (4s/0x0020/CRIT) - Fatal firmware error: Line 1012 in ../../raid/1078dma.c", incident.HBAFault, ""},
		{"(734112s/0x0002/FATAL) - Unrecoverable medium error during recovery on PD 06(e0x20/s6) at 1b4c00", incident.RAIDDrive, ""},
		{"Puncturing bad block on PD 06(e0x20/s6) at 1b4c00", incident.RAIDDrive, ""},
		{"Drive has flagged a S.M.A.R.T alert : Yes", incident.RAIDDrive, ""},
		{"S.M.A.R.T alert flagged by drive = Yes", incident.RAIDDrive, ""},
		{"Predictive Failure Count: 3", incident.RAIDDrive, ""},
		{"252:1     9 UBad   -   3.637 TB SATA HDD N   N  512B ST4000NM0033-9ZM170 U  -", incident.RAIDDrive, ""},
		{"32:5      5 Failed 0  558.375 GB SAS  HDD N   N  512B ST600MM0006     U  -", incident.RAIDDrive, ""},
		{"0/0   RAID5 Dgrd  RW     No      RWBD  -   OFF 10.913 TB data", incident.RAIDDegraded, ""},
		{"logicaldrive 1 (273.40 GB, RAID 5, Interim Recovery Mode)", incident.RAIDDegraded, ""},
		{"   Status of Logical Device                 : Degraded", incident.RAIDDegraded, ""},
		{"p3    ECC-ERROR        u0     931.51 GB   1953525168    WD-WCATR1111111", incident.RAIDDrive, ""},
		{"u0    RAID-5    DEGRADED       -       -       64K     2793.94   ON     OFF", incident.RAIDDegraded, ""},
		{"mptbase: ioc0: RAID STATUS CHANGE for VolumeID 0 volume is now degraded, enabled", incident.RAIDDegraded, ""},
		{"PDR1001: Fault detected on drive 3 in disk drive bay 1.", incident.RAIDDrive, ""},
		{"  2a | 03/07/2021 | 07:10:10 | Drive Slot / Bay #0x62 | Drive Fault () | Asserted", incident.RAIDDrive, ""},
		// NVMe
		{"nvme0n1: Write(0x1) @ LBA 1000, 8 blocks, Internal Error (sct 0x0 / sc 0x6)", incident.NVMeInternal, "nvme0n1"},
		{"status_field : 0x281(Unrecovered Read Error: The read data could not be recovered from the media.)", incident.NVMeMedia, ""},
		{"nvme0: Resetting controller due to a timeout.", incident.NVMeTimeout, "nvme0"},
		{"nvme0: Controller in fatal error status, resetting", incident.NVMeFatal, "nvme0"},
		{"nvme 0000:01:00.0: frozen state error detected, reset controller", incident.AERFatal, "0000:01:00.0"},
		{"nvme nvme1: no usable path - requeuing I/O", incident.NVMeOFConn, "nvme1"},
		// SATA, SCSI, USB
		{"ata3: SATA link up 1.5 Gbps (SStatus 113 SControl 310)", incident.ATASlowed, "ata3"},
		{"ata1.00: limiting speed to UDMA/33:PIO4", incident.ATASlowed, "ata1"},
		{"(ada0:ahcich0:0:0:0): ATA status: 51 (DRDY SERV ERR), error: 84 (ICRC ABRT )", incident.ATACRC, ""},
		{"sd 2:0:0:0: [sdc] tag#3 Sense Key : Not Ready [current]", incident.NotReady, "sdc"},
		{"sd 2:0:0:0: [sdc] tag#3 Add. Sense: Write error - auto reallocation failed", incident.MediumError, "sdc"},
		{"sd 2:0:0:0: [sdc] tag#3 Add. Sense: Internal target failure", incident.HardwareError, "sdc"},
		{"sd 2:0:0:0: [sdc] Spinning up disk......not responding...", incident.NotReady, "sdc"},
		{"usb 1-1: Device not responding to setup address.", incident.USBDescriptor, "usb 1-1"},
		{"usb 1-1-port2: attempt power cycle", incident.USBDescriptor, "usb 1-1-port2"},
		{"usb usb2-port3: Cannot enable. Maybe the USB cable is bad?", incident.USBDescriptor, "usb usb2-port3"},
		{"usb 2-1: can't set config #1, error -71", incident.USBDescriptor, "usb 2-1"},
		{"xhci_hcd 0000:00:14.0: xHCI host not responding to stop endpoint command", incident.USBHost, ""},
		{"sd 6:0:0:0: [sdb] tag#5 uas_zap_pending 0 uas-tag 6 inflight: CMD", incident.USBAbort, "sdb"},
		// PCI Express
		{"pcieport 0000:00:1d.0: DPC: containment event, status:0x1f01 source:0x0000", incident.AERFatal, "0000:00:1d.0"},
		{"pcieport 0000:00:1c.0:    [12] Timeout               ", incident.AERCorrected, "0000:00:1c.0"},
		{"PCI1318: A fatal error was detected on a component at bus 0 device 5 function 0.", incident.AERFatal, ""},
		{"Uncorrectable PCI Express Error (Slot 1, Bus 0, Device 2, Function 0, Error status 0x00000020)", incident.AERFatal, ""},
		{"{1}[Hardware Error]:   section_type: PCIe error", incident.AERFatal, ""},
		{"irq 16: nobody cared (try booting with the \"irqpoll\" option)", incident.IRQUnclaimed, ""},
		{"NMI: PCI system error (SERR) for reason a1 on CPU 0.", incident.AERFatal, ""},
		{"NVRM: GPU 0000:01:00.0: GPU has fallen off the bus.", incident.PCIeDown, "0000:01:00.0"},
		{"AMD-Vi: Completion-Wait loop timed out", incident.IOMMUFault, ""},
		{"systemd[1]: Timed out waiting for device /dev/disk/by-uuid/1.", incident.RootMissing, ""},
		// file systems
		{"XFS (dm-0): Internal error XFS_WANT_CORRUPTED_GOTO at line 3505 of file fs/xfs/libxfs/xfs_btree.c.", incident.FSCorrupt, "dm-0"},
		{"XFS (sdb1): Metadata I/O Error (0x1) detected at xfs_buf_ioend+0x1a2/0x5e0 [xfs]", incident.FSError, "sdb1"},
		{"XFS (sdb1): log mount/recovery failed: error -5", incident.FSError, "sdb1"},
		{"XFS (sdb1): failed to locate log tail", incident.FSCorrupt, "sdb1"},
		{"XFS (sdb1): Invalid superblock magic number", incident.FSNoSuper, "sdb1"},
		{"EXT4-fs (sda1): ext4_check_descriptors: Checksum for group 0 failed (50551!=0)", incident.FSCorrupt, "sda1"},
		{"EXT4-fs (sda1): group descriptors corrupted!", incident.FSCorrupt, "sda1"},
		{"EXT4-fs (sdb): VFS: Can't find ext4 filesystem", incident.FSNoSuper, "sdb"},
		{"mount: /mnt: wrong fs type, bad option, bad superblock on /dev/sdb1, missing codepage or helper program, or other error.", incident.FSNoSuper, "sdb1"},
		{"mount: /mnt: can't read superblock on /dev/sdb1.", incident.FSNoSuper, "sdb1"},
		{"e2fsck: Bad magic number in super-block while trying to open /dev/sdb", incident.FSNoSuper, "sdb"},
		{"EXT4-fs warning (device sda1): ext4_dx_add_entry:2523: Directory (ino: 1234) index full, reach max htree level :2", incident.FSLimit, "sda1"},
		{"F2FS-fs (sda3): Inconsistent error blkaddr:1, sit bitmap:0", incident.FSCorrupt, "sda3"},
		{"FAT-fs (sdb1): error, fat_free_clusters: deleting FAT entry beyond EOF", incident.FSCorrupt, "sdb1"},
		{"FAT-fs (sdb1): Filesystem has been set read-only", incident.FSReadOnly, "sdb1"},
		{"ntfs3: sdb1: It is recommened to use chkdsk. Looks like the file is corrupt.", incident.FSCorrupt, "sdb1"},
		{"GFS2: fsid=c:gfs.0: fatal: filesystem consistency error", incident.FSCorrupt, ""},
		{"BTRFS: error (device sda2) in btrfs_run_delayed_refs:2150: errno=-28 No space left", incident.NoSpace, "sda2"},
		{"BTRFS error (device sda2): devid 2 uuid 4d4d4d4d-0000-0000-0000-000000000000 is missing", incident.FSDevice, "sda2"},
		{"BTRFS: error (device sda2) in btrfs_replay_log:2500: errno=-22 unknown (Failed to recover log tree)", incident.FSCorrupt, "sda2"},
		{"ERROR: The filesystem has valuable metadata changes in a log which needs to", incident.FSCheck, ""},
		{"The disk contains an unclean file system (0, 0).", incident.FSCheck, ""},
		{"Either the superblock or the partition table is likely to be corrupt!", incident.DeviceShort, ""},
		{"Error reading block 9699351 (Attempt to read block from filesystem resulted in short read).", incident.IOError, ""},
		{"flood stage disk watermark [95%] exceeded on [x][node-1][/data] free: 1gb[1%]", incident.NoSpace, ""},
		{"MON_DISK_LOW mon a is low on available space", incident.NoSpace, ""},
		// md, LVM, device mapper, ZFS
		{"md/raid1:md0: read error corrected (8 sectors at 12345 on sdb1)", incident.MDCorrected, "sdb1"},
		{"md/raid1:md0: sdb1: rescheduling sector 12345", incident.MDCorrected, "sdb1"},
		{"md/raid1:md0: active with 1 out of 2 mirrors", incident.MDDegraded, "md0"},
		{"md0 : active raid1 sda1[0]\n      976630464 blocks super 1.2 [2/1] [U_]", incident.MDDegraded, "md0"},
		{"             State : clean, degraded ", incident.MDDegraded, ""},
		{"A DegradedArray event had been detected on md device /dev/md1.", incident.MDDegraded, "md1"},
		{"mdadm: no recogniseable superblock on /dev/sdb1", incident.MDNoSuper, "sdb1"},
		{"md: invalid superblock checksum on sdb1", incident.MDNoSuper, "sdb1"},
		{"md0: invalid bitmap file superblock: bad magic", incident.MDNoSuper, "md0"},
		{"  Incorrect metadata area header checksum on /dev/sda2 at offset 4096", incident.LVMDamaged, "sda2"},
		{"  WARNING: Not using device /dev/sdb2 for PV qy0Bgu-o8Ck.", incident.PVTwice, "sdb2"},
		{"  Found duplicate PV qy0Bgu-o8Ck: using /dev/sda2 not /dev/sdb2", incident.PVTwice, ""},
		{"  Activation of logical volume pve/data is prohibited while logical volume pve/data_tmeta is active.", incident.MapRefused, "pve/data"},
		{"  device-mapper: reload ioctl on  (253:5) failed: Invalid argument", incident.MapRefused, ""},
		{"device-mapper: table: 253:3: linear: Device lookup failed (-ENXIO)", incident.MapRefused, ""},
		{"device-mapper: thin: 253:4: switching pool to read-only mode", incident.PoolDamaged, ""},
		{"device-mapper: thin: 253:4: metadata operation 'dm_pool_commit_metadata' failed: error = -5", incident.PoolDamaged, ""},
		{"device-mapper: thin: 253:4: metadata operation 'dm_pool_alloc_data_block' failed: error = -28", incident.ThinFull, ""},
		{"device-mapper: btree spine: btree_node validator check failed for block 12", incident.PoolDamaged, ""},
		{"dmeventd[812]: WARNING: Thin pool pve-data-tpool data is now 100.00% full.", incident.ThinFull, ""},
		{"dmeventd[812]: WARNING: Snapshot vg/snap changed state to: Invalid and should be removed.", incident.SnapshotFull, ""},
		{"zio pool=tank vdev=/dev/sda1 error=52 type=1 offset=270336 size=8192 flags=b08c1", incident.ZFSChecksum, "sda"},
		{"zio pool=tank vdev=/dev/sda1 error=5 type=1 offset=270336 size=8192 flags=b08c1", incident.ZFSIO, "sda"},
		{"VERIFY3(0 == dmu_read(os, object)) failed (0 == 52)", incident.ZFSDamaged, ""},
		{"  Volume group \"pve\" not found", incident.PVMissing, ""},
		{"dd: reading `/dev/sda': Input/output error", incident.IOError, "sda"},
		{"Pass completed, 12 bad blocks found. (12/0/0 errors)", incident.IOError, ""},
		{"The root filesystem on /dev/sda1 requires a manual fsck", incident.FSCheck, "sda1"},
		{"mdadm: /dev/md0 has been started with 3 drives (out of 4).", incident.MDDegraded, "md0"},
		{"mdadm: superblock on /dev/sdb1 doesn't match others - assembly aborted", incident.MDNoSuper, "sdb1"},
		// sessions
		{"storage 'nas' is not online", incident.NFSDown, ""},
		{"NFS: state manager: check lease failed on NFSv4 server nas1 with error 13", incident.NFSDown, "nas1"},
		{"clnt_create: RPC: Port mapper failure - Timed out", incident.NFSDown, ""},
		{"CIFS: VFS: cifs_mount failed w/return code = -112", incident.NFSDown, ""},
		{"WARNING: 10.0.0.5 (iqn.1994-05.com.redhat:1): no ping reply (NOP-Out) after 5 seconds; dropping connection", incident.ISCSIConn, ""},
		{"Did not receive response to NOPIN on CID: 0, failing connection for I_T Nexus iqn.x", incident.ISCSIConn, ""},
		{"Lost access to volume 5f7c (datastore1) due to connectivity issues. Recovery attempt is in progress", incident.ISCSIDead, ""},
		{"multipathd[812]: sdc: tur checker reports path is down", incident.PathFailed, ""},
		{"multipathd[812]: mpatha: Fail all paths", incident.PathFailed, ""},
		// DRBD, Ceph, Longhorn, Kubernetes
		{"drbd r0/0 drbd0 pve2: Remote failed to finish a request within 42000ms > ko-count (7) * timeout (60 * 0.1s)", incident.DRBDNet, "drbd0"},
		{"drbd r0/0 drbd0 pve2: Digest integrity check FAILED: 123s +4096", incident.DRBDDamaged, "drbd0"},
		{"  pve2 connection:Connecting", incident.DRBDNet, ""},
		{"drbd r0: susp-io( no -> quorum)", incident.DRBDQuorum, "r0"},
		{"RECENT_CRASH 1 daemons have recently crashed", incident.CephCrash, ""},
		{"BlueFS.cc: 2352: FAILED ceph_assert(r == 0)", incident.CephCrash, ""},
		{"osd.3 reported immediately failed by osd.1", incident.CephDown, "osd.3"},
		{"All replicas are failed, set engine salvageRequested to true", incident.EngineFault, ""},
		{"Warning  ImageGCFailed  kubelet  failed to garbage collect required amount of images", incident.DiskPressure, ""},
		{"wal: sync duration of 1.2s, expected less than 1s", incident.SlowSync, ""},
		{"[afr-self-heal-common.c:1] 0-gv0-replicate-0: possible split-brain", incident.ReplicaSplit, ""},
		{"drbd r0: State change failed: Need access to UpToDate data", incident.DRBDRefused, "r0"},
		// networks and clusters
		{"r8169 0000:03:00.0 enp3s0: rtl_rxtx_empty_cond == 0 (loop: 42, delay: 100).", incident.NICHang, "enp3s0"},
		{"i40e 0000:05:00.0: TX driver issue detected on PF", incident.NICHang, ""},
		{"ixgbe 0000:04:00.0 eth2: initiating reset due to tx timeout", incident.NICHang, "eth2"},
		{"bnxt_en 0000:3b:00.0 eth0: Error (timeout: 500015) msg {0x41 0xb7a} len:0", incident.NICHang, "eth0"},
		{"mlx5_core 0000:3b:00.0: cmd_work_handler:1003: will cause a leak of a command resource", incident.NICHang, ""},
		{"bond0: now running without any active interface!", incident.BondDown, "bond0"},
		{"bond0: Warning: No 802.3ad response from the link partner for any adapters in the bond", incident.BondAlone, "bond0"},
		{"br0: received packet on eth1 with own address as source address (addr:aa:aa:aa:aa:aa:0c, vlan:0)", incident.NetworkLoop, "eth1"},
		{"neighbour: arp_cache: neighbor table overflow!", incident.NeighborMax, ""},
		{"IPv6: eth0: IPv6 duplicate address fe80::1 used by aa:bb:cc:dd:ee:ff detected!", incident.AddressTwice, "eth0"},
		{"systemd-networkd[1]: eth0: Dropping address 192.168.1.5/24, as an address conflict was detected.", incident.AddressTwice, "eth0"},
		{"corosync[1]:   [KNET  ] pmtud: possible MTU misconfiguration detected. kernel is reporting MTU: 9000 bytes", incident.MTUDiffers, ""},
		{"10 packets transmitted, 8 received, 20% packet loss, time 9012ms", incident.PacketLoss, ""},
		{"     rx_crc_errors: 18221", incident.NICDamaged, ""},
		{"corosync[1]:   [KNET  ] host: host: 2 has no active links", incident.ClusterNet, ""},
		{"corosync[1]:   [TOTEM ] FAILED TO RECEIVE", incident.ClusterNet, ""},
		{"pacemaker-based[2336]:  notice: Node node1 state is now lost", incident.MemberLeft, ""},
		{"corosync[1]:   [TOTEM ] Failed to receive the leave message. failed: 2", incident.MemberLost, ""},
		{"sbd[2321]:  warning: inquisitor_child: Servant cluster is outdated (age: 730)", incident.MemberLost, ""},
		{"pmxcfs[1200]: [status] notice: node lost quorum", incident.MemberLost, ""},
		{"pve-ha-lrm[1500]: status change active => lost_agent_lock", incident.MemberLost, ""},
		{"watchdog-mux[900]: client watchdog expired - disable watchdog updates", incident.MemberLost, ""},
		{"corosync[1]:   [QUORUM] This node is within the non-primary component and will NOT provide any services.", incident.MemberLost, ""},
		{"o2net: Connection to node b (num 1) at 10.0.0.2:7777 has been idle for 30.0 secs, shutting it down.", incident.ClusterNet, ""},
		{"mlx5_core 0000:3b:00.0 eth0: Link down", incident.NICDown, "eth0"},
		{"dhcpcd[600]: eth0: carrier lost", incident.NICDown, "eth0"},
		{"NetworkManager[500]: <info>  [1] device (eth0): carrier: link disconnected", incident.NICDown, "eth0"},
		// heat and power
		{"Core 0:        +101.0°C  (high = +84.0°C, crit = +100.0°C)", incident.Warm, ""},
		{"194 Temperature_Celsius     0x0022   035   035   000    Old_age   Always       -       71 (Min/Max 20/71)", incident.Warm, ""},
		{"Temperature:                        91 Celsius", incident.Warm, ""},
		{"CPU Temp         | 98.000     | degrees C  | cr    | 5.000     | 5.000     | 10.000    | 90.000    | 95.000    | 95.000", incident.Warm, ""},
		{"FAN1             | 300 RPM           | cr", incident.FanFailed, ""},
		{"12V              | 10.170     | Volts      | nr    | 10.173    | 10.299    | 10.740", incident.PowerLost, ""},
		{"TMP0118: The system inlet temperature is greater than the upper critical threshold.", incident.Warm, ""},
		{"FAN0001: Fan 1 RPM is less than the lower critical threshold.", incident.FanFailed, ""},
		{"System Overheating (Zone 1, Location CPU, Temperature Unknown)", incident.TooHot, ""},
		{"        HW Thermal Slowdown                       : Active", incident.Throttled, ""},
		{"Package id 0:  +104.0°C  (high = +80.0°C, crit = +100.0°C)  ALARM (CRIT)", incident.TooHot, ""},
		{"Processor #0x31 | PROCHOT (Processor Hot) | Asserted", incident.Throttled, ""},
		{"GPU 0 overheat detected, shutting down", incident.TooHot, ""},
		{"ups.status: OB DISCHRG", incident.PowerLost, ""},
		{"STATUS   : ONBATT", incident.PowerLost, ""},
		{"PSU0002: Power supply 2 has failed.", incident.PowerLost, ""},
		// memory and CPU
		{"{2}[Hardware Error]:   section_type: memory error", incident.EDACCorrected, ""},
		{"{3}[Hardware Error]:  section_type: general processor error", incident.MCE, ""},
		{"MCA: CPU 0 COR (1) RD channel 1 memory error", incident.EDACCorrected, ""},
		{"Hardware event. This is not a software error.", incident.MCELogged, ""},
		{"MCA: MEMORY CONTROLLER RD_CHANNEL0_ERR", incident.EDACCorrected, ""},
		{"CPU0000: CPU 1 has an internal error (IERR).", incident.MCE, ""},
		{"  5 | 01/01/2021 | 00:00:00 | Memory | Correctable ECC logging limit reached | Asserted", incident.EDACCorrected, ""},
		{"ERROR: ILLEGAL SUMOUT", incident.MemoryTest, ""},
		{"  5555555555555555 bad mem addr 0x0000000137c00000 - 0x0000000137c01000 reserved", incident.MemoryTest, ""},
		{" xfs_log_force_seq+0x8e/0x150 [xfs]", incident.WaitsForDisk, ""},
		// hypervisors and guests
		{"block I/O error in device 'drive-virtio-disk0': Input/output error (5)", incident.HostPaused, ""},
		{"error: kvm run failed Bad address", incident.HostPaused, ""},
		{"KVM: entry failed, hardware error 0x80000021", incident.HostPaused, ""},
		{"pvestatd[1100]: VM 100 qmp command failed - VM 100 qmp command 'query-proxmox-support' failed - unable to connect to VM 100 qmp socket - timeout after 51 retries", incident.HostPaused, ""},
		{"Timed out during operation: cannot acquire state change lock (held by monitor=remoteDispatchDomainReboot)", incident.HostPaused, ""},
		{"hv_storvsc f8b3781a-1e82-4818-a1c3-63d806ec15bb: tag#12 cmd 0x2a status: scsi 0x2 srb 0x4 hv 0xc0000001", incident.GuestDisk, ""},
		{"%Cpu(s):  5.0 us,  2.0 sy,  0.0 ni, 58.0 id,  0.0 wa,  0.0 hi,  0.0 si, 35.0 st", incident.Stolen, ""},
		{"CPU: 1 PID: 12 Comm: migration/1 Not tainted 5.10.0-8-cloud-amd64 #1 Debian 5.10.46-4", incident.IsGuest, ""},
		{"EXT4-fs (vdb): mounted filesystem 933e404a r/w with ordered data mode. Quota mode: none.", incident.IsGuest, ""},
		{"scsi 2:0:0:0: Direct-Access     QEMU     QEMU HARDDISK    2.5+ PQ: 0 ANSI: 5", incident.IsGuest, ""},
		{" pvclock_clocksource_read+0x1/0x90", incident.IsGuest, ""},
		{"The I/O cache encountered an error while updating data in medium \"ahci-0-0\" (rc=VERR_DISK_FULL).", incident.HostPaused, ""},
		// clocks
		{"Signature expired: 20240101T000000Z is now earlier than 20240101T000500Z", incident.ClockSkew, ""},
		{"Error: block timestamp 1700000000 is in the future", incident.ClockSkew, ""},
		{"rtc-ds1307 1-0068: oscillator failed, set time!", incident.RTCLost, ""},
		{"hctosys: unable to read the hardware clock", incident.RTCLost, ""},
		{"               Local time: Thu 1970-01-01 00:03:12 UTC", incident.RTCLost, ""},
		{"chronyd[699]: Can't synchronise: no selectable sources", incident.ClockNoSource, ""},
		{"Leap status     : Not synchronised", incident.ClockNoSource, ""},
		{"systemd-timesyncd[239]: Timed out waiting for reply from 162.159.200.1:123 (0.debian.pool.ntp.org).", incident.ClockNoSource, ""},
		{"gpg: key 1234 was created 3600 seconds in the future (time warp or clock problem)", incident.ClockSkew, ""},
		{"make: warning:  Clock skew detected.  Your build may be incomplete.", incident.ClockSkew, ""},
		{"Superblock last mount time is in the future.", incident.ClockSkew, ""},
		{"An error occurred (RequestTimeTooSkewed) when calling the PutObject operation", incident.ClockSkew, ""},
		{"ptp4l[12.3]: clockcheck: clock jumped backward or running slower than expected!", incident.ClockStepped, ""},
		{"hwclock: select() to /dev/rtc0 to wait for clock tick timed out", incident.RTCLost, ""},
		// drives
		{"- available spare has fallen below threshold", incident.SMARTWarning, ""},
		{"- NVM subsystem reliability has been degraded", incident.SMARTWarning, ""},
		{"233 Media_Wearout_Indicator 0x0032   001   001   000    Old_age   Always       -       65535", incident.SMARTWorn, ""},
		{"0x04  0x008  4              12  ---  Number of Reported Uncorrectable Errors", incident.SMARTPending, ""},
		{"0x06  0x018  4               7  ---  Number of Interface CRC Errors", incident.SMARTCRC, ""},
		{"read:   12345678        4         0  12345682          5      45678.901          2", incident.SMARTMedia, ""},
		{"                                        the read element of the test failed.", incident.SMARTSelfTest, ""},
		{"percentage_used                         : 112%", incident.SMARTWorn, ""},
		{"smartd[812]: Device: /dev/sdc [SAT], open() of ATA device failed: No such device", incident.SMARTUnread, "sdc"},
	} {
		log := readAll(t, c.line+"\n")
		if len(log.Events) != 1 {
			t.Errorf("%s: %d events: %+v", c.line, len(log.Events), log.Events)
			continue
		}
		if e := log.Events[0]; e.Kind != c.kind || e.Device != c.device {
			t.Errorf("%s:\n got %q %q\nwant %q %q", c.line, e.Kind, e.Device, c.kind, c.device)
		}
	}
}

// What looks like one of those forms, and is none.
func TestFormsThatAreNone(t *testing.T) {
	for _, line := range []string{
		"md/raid1:md0: active with 2 out of 2 mirrors", "md0 : active raid1 sdb1[1] sda1[0]\n      976630464 blocks super 1.2 [2/2] [UU]", "             State : clean",
		"10 packets transmitted, 10 received, 0% packet loss, time 9012ms", "10 packets transmitted, 0 received, +10 errors, 100% packet loss", "     rx_crc_errors: 3", "eth0: speed 1000 Mb/s, rx_errors 0, rx_crc_errors 0, tx_errors 0, rx_dropped 3",
		"%Cpu(s):  5.0 us,  2.0 sy,  0.0 ni, 93.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st", "CPU Temp         | 41.000     | degrees C  | ok    | 5.000", "FAN2             | no reading        | ns", "FAN1 | 1200 RPM | ok",
		"read:   12345678        4         0  12345682          0      45678.901          0", "Predictive Failure Count: 0", "Media Error Count: 0", "252:1     9 Onln   0   3.637 TB SATA HDD N   N  512B ST4000NM0033 U  -",
		"233 Media_Wearout_Indicator 0x0032   098   098   000    Old_age   Always       -       0", "0x04  0x008  4               -  ---  Number of Reported Uncorrectable Errors", "               Local time: Thu 2026-01-01 00:03:12 UTC",
		"{1}[Hardware Error]: It has been corrected by h/w and requires no further action", "mount: wrong fs type, bad option, bad superblock on 10.0.0.1:/export, missing codepage or helper program", "        HW Thermal Slowdown                       : Not Active", "Leap status     : Normal",
		"mdadm: /dev/md0 has been started with 4 drives.", "corosync[1]:   [TOTEM ] A new membership (1.116f4) was formed. Members left: 2", "Core 0:        +54.0°C  (high = +84.0°C, crit = +100.0°C)", "194 Temperature_Celsius     0x0022   065   035   000    Old_age   Always       -       35 (Min/Max 20/71)", "Temperature:                        61 Celsius", "Pass completed, 0 bad blocks found. (0/0/0 errors)",
		"sr 1:0:0:0: [sr0] tag#0 Sense Key : Not Ready [current]", "ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)", "percentage_used                         : 3%",
		"The ZFS modules are not loaded.\nTry running '/sbin/modprobe zfs' as root to load them.", // nobody uses ZFS there
	} {
		if log := readAll(t, line+"\n"); len(log.Events) > 0 {
			t.Errorf("%s: %+v", line, log.Events)
		}
	}
}

// A sector that fails twice is bad; many that fail once are of a disk that is gone.
func TestTheSameSector(t *testing.T) {
	const line = "I/O error, dev sda, sector 976773168 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2\n"
	again := func(text string) (n int, sectors float64) {
		for _, e := range readAll(t, text).Events {
			if e.Kind == incident.SectorAgain {
				n, sectors = n+e.Count, e.Value
			}
		}
		return n, sectors
	}
	const between = "Buffer I/O error on dev sda, logical block 122096646, async page read\n"
	for _, c := range []struct {
		what, text string
		n          int
		sectors    float64
	}{
		{"once", line, 0, 0},
		{"twice", line + between + line, 1, 1},
		{"the same line twice, as two logs have it", line + line, 0, 0},
		{"at the begin of a disk", "I/O error, dev sda, sector 2048 op 0x0:(READ)\n" + between + "I/O error, dev sda, sector 2048 op 0x0:(READ)\n", 0, 0},
		{"a write", "I/O error, dev sda, sector 976773168 op 0x1:(WRITE)\n" + between + "I/O error, dev sda, sector 976773168 op 0x1:(WRITE)\n", 0, 0},
		{"two sectors", line + "I/O error, dev sda, sector 976773176 op 0x0:(READ)\n" + line, 1, 2},
	} {
		if n, sectors := again(c.text); n != c.n || sectors != c.sectors {
			t.Errorf("%s: %d times, %v sectors", c.what, n, sectors)
		}
	}
}
