package read_test

import (
	"testing"

	"assay/incident"
)

// Formats from the source of Linux 6.1, and older and newer ones, some from posted lines.

func TestWhatSCSIDevicesAnswer(t *testing.T) {
	reads(t, []form{
		{"blk_update_request: recoverable transport error, dev sdb, sector 1234 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 0", incident.TransportError, "sdb"},
		{"timeout error, dev nvme0n1, sector 1234 op 0x1:(WRITE) flags 0x0 phys_seg 1 prio class 2", incident.CommandTimeout, "nvme0n1"},
		{"protection error, dev nvme0n1, sector 0 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2", incident.IOError, "nvme0n1"},
		{"critical nexus error, dev sdb, sector 1234 op 0x1:(WRITE) flags 0x0 phys_seg 1 prio class 2", incident.Refused, "sdb"},
		{"reservation conflict error, dev sdb, sector 1234 op 0x1:(WRITE) flags 0x0 phys_seg 1 prio class 2", incident.Refused, "sdb"},
		{"sd 1:0:0:0: reservation conflict", incident.Refused, ""},
		{"sd 3:0:0:0: [sdc] tag#79 Medium access timeout failure. Offlining disk!", incident.DeviceOffline, "sdc"},
		{"sd 0:0:0:0: [sdb] tag#3 FAILED Result: hostbyte=DID_ABORT driverbyte=DRIVER_OK cmd_age=30s", incident.TaskAbort, "sdb"},
		{"sd 0:0:0:0: [sdb] tag#3 FAILED Result: hostbyte=DID_ALLOC_FAILURE driverbyte=DRIVER_OK", incident.SpaceError, "sdb"},
		{"sd 0:0:0:0: [sdb] tag#1 Add. Sense: Space allocation failed write protect", incident.SpaceError, "sdb"},
		{"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Information unit CRC error detected", incident.ParityError, "sdb"},
		{"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Information unit iuCRC error detected", incident.ParityError, "sdb"},
		{"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Logical unit communication CRC error (Ultra-DMA/32)", incident.ParityError, "sdb"},
		{"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Logical unit communication time-out", incident.CommandTimeout, "sdb"},
		{"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Read retries exhausted", incident.MediumError, "sdb"},
		{"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Spindle servo failure", incident.HardwareError, "sdb"},
		{"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Logical unit failed self-test", incident.HardwareError, "sdb"},
		{"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Warning - specified temperature exceeded", incident.Warm, "sdb"},
		{"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Hardware impending failure too many block reassigns", incident.SMARTFailed, "sdb"},
		{"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Media failure prediction threshold exceeded", incident.SMARTFailed, "sdb"},
		{"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Media impending failure endurance limit met", incident.SMARTWorn, "sdb"},
		{"Write-error on swap-device (8:80:535552)", incident.IOError, ""},
	})
	silent(t,
		"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Failure prediction threshold exceeded (false)",
		"sd 0:0:0:0: [sdb] tag#1 Sense Key : Illegal Request [current]",
		"sd 0:0:0:0: [sdb] tag#1 Add. Sense: Invalid command operation code",
		"sd 0:0:0:0: [sdb] No Caching mode page found",
		"sd 0:0:0:0: [sdb] Assuming drive cache: write through",
		"sd 6:0:0:0: [sdb] tag#0 Add. Sense: Medium not present",
		"Write-error on swap-device (252:0:15542040)", // zram
		"loop0: detected capacity change from 8 to 0",
	)
}

func TestWhatATAPortsAndNVMeSay(t *testing.T) {
	reads(t, []form{
		{"ata1: SRST failed (errno=-16)", incident.ATAReset, "ata1"},
		{"ata8.15: failed to recover PMP after 5 tries, giving up", incident.ATADead, "ata8"},
		{"ata8.01: failed to recover link after 3 tries, disabling", incident.ATADead, "ata8"},
		{"ata3: reset failed (errno=-32), retrying in 35 secs", incident.ATAReset, "ata3"},
		{"ata8.00: failed to read SCR 1 (Emask=0x40)", incident.ATAReset, "ata8"},
		{"ata3.00: irq_stat 0x20000000, host bus error", incident.HBAFault, "ata3"},
		{"         res 50/00:00:00:00:00/00:00:00:00:00/00 Emask 0x2 (HSM violation)", incident.ATABusError, ""},
		{"nvme0n1: Write(0x1) @ LBA 1234, 8 blocks, Attempted Write to Read Only Range (sct 0x1 / sc 0x82) DNR ", incident.NVMeMedia, "nvme0n1"},
		{"nvme nvme0: resetting controller due to persistent internal error", incident.NVMeInternal, "nvme0"},
		{"nvme0n1: detected capacity change from 1953525168 to 0", incident.NVMeDead, "nvme0n1"},
		{"nvme nvme0: failed to set APST feature (-19)", incident.NVMeDead, "nvme0"},
		{"nvme nvme1: Removing controller...", incident.NVMeOFConn, "nvme1"},
		{"nvme nvme1: NVME-FC{0}: controller connectivity lost. Awaiting Reconnect", incident.NVMeOFConn, "nvme1"},
		{"nvme nvme1: RECV for CQE 0x00000000f5c3d2a1 failed with status WR flushed (5)", incident.NVMeOFConn, "nvme1"},
		{"nvme0c0n1: Read(0x2) @ LBA 1234, 8 blocks, Asymmetric Access Inaccessible (sct 0x3 / sc 0x2) ", incident.NVMeOFConn, ""},
	})
	silent(t,
		"ata2: softreset failed (device not ready)",
		"ata2.00: failed to enable AA (error_mask=0x1)",
		"nvme nvme0: failed to set APST feature (2)",
		"nvme nvme0: missing or invalid SUBNQN field.",
		"nvme nvme0: Shutdown timeout set to 10 seconds",
		"nvme nvme1: Successfully reconnected (1 attempt)",
		"nvme0n1: detected capacity change from 0 to 1953525168",
	)
}

func TestWhatStorageAdaptersSay(t *testing.T) {
	reads(t, []form{
		{"sd 9:0:19:0: device_unblock and setting to running, handle(0x000a)", incident.HBAInfo, ""},
		{"sd 9:0:19:0: device_block, handle(0x000a)", incident.HBAInfo, ""},
		{"mpt3sas_cm0: attempting host reset! scmd(0x00000000b1a5e3f4)", incident.TaskAbort, ""},
		{"sd 0:0:1:0: attempting device reset! scmd(0x00000000b1a5e3f4)", incident.TaskAbort, ""},
		{"megaraid_sas 0000:18:00.0: Reset failed, killing adapter scsi0.", incident.HBAFault, ""},
		{"megaraid_sas 0000:18:00.0: Diag reset adapter never cleared megasas_adp_reset_fusion 3977", incident.HBAFault, ""},
		{"megaraid_sas 0000:03:00.0: Failed to transition controller to ready for scsi0.", incident.HBAFault, ""},
		{"megaraid_sas 0000:03:00.0: Failed from megasas_init_fw 6539", incident.HBAFault, ""},
		{"mpt3sas_cm0: diag reset: FAILED", incident.HBAFault, ""},
		{"mpt3sas_cm0: _base_make_ioc_ready: failed going to ready state (ioc_state=0x40000000)", incident.HBAFault, ""},
		{"mpt2sas_cm0: SMP command sent to the expander (handle:0x0009, sas_address:0x500304800000007f, physical_port:0x00) has timed out", incident.HBAInfo, ""},
		{"megaraid_sas 0000:03:00.0: DCMD(opcode: 0x10b0100) is timed out, func:megasas_get_target_prop", incident.HBAFault, ""},
		{"aacraid: Host adapter BLINK LED 0xef", incident.HBAFault, ""},
		{"aacraid: Host device reset request. SCSI hang ?", incident.TaskAbort, ""},
		{"smartpqi 0000:64:00.0: timed out waiting for PQI signature", incident.HBAFault, ""},
		{"hpsa 0000:03:00.0: board not ready, timed out.", incident.HBAFault, ""},
		{"aacraid 0000:02:00.0: adapter kernel panic'd 7d.", incident.HBAFault, ""},
		{"smartpqi 0000:64:00.0: controller offline: reason code 0x4 (no controller heartbeat detected)", incident.HBAFault, ""},
		{"qla2xxx [0000:05:00.0]-801c:7: Abort command issued nexus=7:0:1 -- 2002.", incident.TaskAbort, ""},
		{"lpfc 0000:82:00.0: 2:(0):0203 Devloss timeout on WWPN 50:01:43:80:12:8e:40:20 NPort x05df00 Data: x82000000 x8 xa", incident.FCDown, ""},
	})
}

func TestWhatArraysAndMappedDevicesSay(t *testing.T) {
	reads(t, []form{
		{"md/raid:md0: Cannot continue operation (3/4 failed).", incident.MDFailed, "md0"},
		{"md/raid1:md0: sda1: unrecoverable I/O read error for block 92537216", incident.IOError, "md0"},
		{"md/raid:md0: read error NOT corrected!! (sector 1234 on sda).", incident.MDFailed, "md0"},
		{"md/raid:md0: Too many read errors, failing device sda1.", incident.MDFailed, "sda1"},
		{"md: disabled device sdb1, could not read superblock.", incident.MDFailed, "sdb1"},
		{"md/raid10:md0: read correction write failed (8 sectors at 1234 on sdc1)", incident.MDFailed, "sdc1"},
		{"md: could not read sdb1's sb, not importing!", incident.MDFailed, "sdb1"},
		{"md/raid0:md0: too few disks (1 of 2) - aborting!", incident.MDInactive, "md0"},
		{"md: fatal superblock inconsistency in sdb1 -- removing from array", incident.MDNoSuper, "sdb1"},
		{"md: pers->run() failed ...", incident.MDInactive, ""},
		{"md/raid0:md0: cannot assemble multi-zone RAID0 with default_layout setting", incident.Refused, ""},
		{"device-mapper: thin: 253:2: switching pool to fail mode", incident.PoolDamaged, ""},
		{"device-mapper: thin: 253:2: switching pool to failure mode", incident.PoolDamaged, ""},
		{"device-mapper: cache metadata: sb_check failed: checksum 1234, expected 5678", incident.PoolDamaged, ""},
		{"device-mapper: space map common: index_check failed: blocknr 0 != wanted 12", incident.PoolDamaged, ""},
		{"device-mapper: multipath: 253:0: queue_if_no_path timeout on mpatha, failing queued IO", incident.PathsLost, ""},
		{"device-mapper: verity-fec: 253:0: FEC 1234: failed to correct: -74", incident.FSChecksum, ""},
		{"device-mapper: raid1: Read failure on mirror device 253:3.  Trying alternative device.", incident.MDFailed, ""},
		{"device-mapper: thin: 253:2: data device (51200 blocks) too small: expected 102400", incident.DeviceShort, ""},
		{"bcache: bch_cached_dev_error() stop bcache0: too many IO errors on backing device sda", incident.IOError, "sda"},
	})
	silent(t,
		"md: data-check of RAID array md0",
		"md: md0: resync done.",
		"md/raid1:md0: not clean -- starting background reconstruction",
		"bcache: bch_journal_replay() journal replay done, 12 keys in 3 entries, seq 1234",
	)
}

func TestWhatFileSystemsOfTheKernelSay(t *testing.T) {
	reads(t, []form{
		{"BTRFS: error (device sdb: state A) in btrfs_commit_transaction:2442: errno=-5 IO failure (Error while writing out transaction)", incident.FSError, "sdb"},
		{"BTRFS: error (device sdb) in btrfs_run_delayed_refs:2950: errno=-28 No space left", incident.NoSpace, "sdb"},
		{"BTRFS warning (device sdb): i/o error at logical 1234 on dev /dev/sdb, physical 1234, root 5, inode 1", incident.IOError, "sdb"},
		{"BTRFS warning (device sdb): lost page write due to IO error on /dev/sdb (-5)", incident.IOError, "sdb"},
		{"BTRFS warning (device sdb): chunk 1234 missing 1 devices, max tolerance is 0 for writable mount", incident.FSDevice, "sdb"},
		{"JBD2: journal transaction 1234 on sda1-8 is corrupt.", incident.FSCorrupt, "sda1"},
		{"jbd2_journal_bmap: journal block not found at offset 12 on sda1-8", incident.FSCorrupt, "sda1"},
		{"EXT4-fs (sda1): Delayed block allocation failed for inode 123 at logical offset 0 with max blocks 2 with error 5", incident.FSError, "sda1"},
		{"EXT4-fs (sda1): Delayed block allocation failed for inode 123 at logical offset 0 with max blocks 2 with error 28", incident.NoSpace, "sda1"},
		{"EXT4-fs (sda1): ext4_writepages: jbd2_start: 2048 pages, ino 12; err -30", incident.FSReadOnly, "sda1"},
		{"EXT4-fs (sda1): initial error at time 1600000000: ext4_lookup:1787: inode 12", incident.FSCheck, "sda1"},
		{"XFS (sda1): log recovery read I/O error at daddr 0x1234 len 8 error -5", incident.FSError, "sda1"},
		{"XFS (sda1): Filesystem needs repair.  Please run xfs_repair.", incident.FSCheck, "sda1"},
		{"XFS (sda1): log record CRC mismatch: found 0x1234, expected 0x5678.", incident.FSCorrupt, "sda1"},
		{"EXT4-fs (sda1): VFS: Found ext4 filesystem with invalid superblock checksum.  Run e2fsck?", incident.FSCorrupt, "sda1"},
		{"EXT4-fs (sda1): invalid journal inode", incident.FSCorrupt, "sda1"},
		{"EXT4-fs (sda1): Can't read superblock on 2nd try", incident.FSError, "sda1"},
		{"EXT4-fs warning (device sda1): ext4_clear_journal_err:6157: Marking fs in need of filesystem check.", incident.FSCheck, "sda1"},
		{"JBD2: corrupted journal superblock", incident.FSCorrupt, ""},
		{"BTRFS warning (device sdb): tree block 30408704 mirror 1 has bad csum, has 0x1234 want 0x5678", incident.FSCorrupt, "sdb"},
		{"VFS: Dirty inode writeback failed for block device sdc (err=-5).", incident.IOError, "sdc"},
		{"XFS (sda1): xfs_log_force: error -5 returned.", incident.FSAbort, "sda1"},
		{"XFS (sda1): writeback error on inode 1234, offset 0, sector 1234", incident.FSError, "sda1"},
		{"XFS (sda1): Superblock has unknown read-only compatible features (0x8) enabled.", incident.Refused, "sda1"},
	})
	silent(t,
		"EXT4-fs (sda1): write access unavailable, skipping orphan cleanup",
		"EXT4-fs (sda1): write access unavailable, cannot proceed (try mounting with noload)", // of a snapshot, and of a card that accepts no more writes
		"EXT4-fs (sda1): recovery complete",
		"EXT4-fs (sda1): re-mounted. Opts: errors=remount-ro",
		"XFS (sda1): Ending clean mount",
		"XFS (sda1): Unmounting Filesystem",
		"BTRFS info (device sdb): using free space tree",
	)
}

func TestClientsOfRemoteStorage(t *testing.T) {
	reads(t, []form{
		{"block nbd0: Receive control failed (result -32)", incident.CommandTimeout, "nbd0"},
		{"block nbd0: Other side returned error (5)", incident.CommandTimeout, "nbd0"},
		{"rbd: rbd1: encountered watch error: -107", incident.CephSocket, "rbd1"},
		{"rbd: rbd1: failed to reregister watch: -108", incident.RBDBlocked, "rbd1"},
		{"libceph: pool 2 is full or reached quota", incident.CephFull, ""},
		{"libceph: no secret set (for auth_x protocol)", incident.Refused, ""},
		{"nvme nvme1: Connect command failed: host path error", incident.NVMeOFConn, "nvme1"},
		{"nvme nvme1: failed to connect queue 1", incident.NVMeOFConn, "nvme1"},
		{"nvme nvme1: NVME-FC{0}: dev_loss_tmo (60) expired while waiting for remoteport connectivity.", incident.NVMeOFConn, "nvme1"},
		{"nvmet: connect request for invalid subsystem nqn.2014-08.org!", incident.Refused, ""},
		{"block drbd0: Local backing device failed to meet the disk-timeout", incident.DRBDDisk, "drbd0"},
		{"drbd r0: [drbd_w_r0/1234] sock_sendmsg time expired, ko = 6", incident.DRBDNet, "r0"},
		{"block drbd0: The peer's device size is too small! (1234 < 5678 sectors); demote me first!", incident.Refused, "drbd0"},
		{"NFS: nas: lost 3 locks", incident.NFSDown, ""},
		{"NFS: nfs4_handle_reclaim_lease_error unhandled error -10068. Exiting with error EIO", incident.NFSDown, ""},
		{"block drbd0: State change failed: Refusing to be Primary while peer is not outdated", incident.DRBDRefused, "drbd0"},
		{"ceph: mds0 hung", incident.CephSlow, ""},
		{"ceph: mds0 rejected session", incident.RBDBlocked, ""},
		{"block drbd0: IO ERROR: neither local nor remote data, sector 1234+8", incident.DRBDQuorum, "drbd0"},
		{"drbd r0: sock_recvmsg returned -104", incident.DRBDNet, "r0"},
		{"block drbd0: local READ IO error sector 1234+8 on sda1", incident.DRBDDisk, "drbd0"},
		{"CIFS: VFS: \\\\nas Send error in SessSetup = -13", incident.Refused, ""},
	})
	silent(t,
		"block nbd0: NBD_DISCONNECT",
		"block nbd4: Other side returned error (22)",
		"libceph: mon0 (1)10.0.0.1:6789 session established",
		"ceph: mds0 reconnect success",
		"nfs: server 10.0.0.1 OK",
		"block drbd0: Digest mismatch, buffer modified by upper layers during write: 1234s +4096",
		"block drbd0: Began resync as SyncTarget (will sync 1234 KB [1 bits set]).",
	)
}

func TestWhatTheKernelSaysOfTheMachine(t *testing.T) {
	reads(t, []form{
		{"Memory cgroup out of memory: Killed process 1234 (java) total-vm:123kB, anon-rss:123kB", incident.OOMCgroup, "java"},
		{"Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled", incident.OOM, ""},
		{"Kernel panic - not syncing: Fatal hardware error!", incident.MCE, ""},
		{"MCE: Killing qemu-kvm:1234 due to hardware memory corruption fault at 7f5e3c000000", incident.EDACFatal, ""},
		{"BUG: workqueue lockup - pool cpus=6 node=0 flags=0x0 nice=0 stuck for 33s!", incident.CPUStall, ""},
		{"vmalloc error: size 4096, page order 0, failed to allocate pages, mode:0xdc2", incident.NoPages, ""},
		{"AMD-Vi: Event logged [INVALID_DEVICE_REQUEST device=00:00.0 pasid=0x00000 address=0xfffffffdf8000000 flags=0x0a00]", incident.IOMMUFault, ""},
		{"DMAR: [INTR-REMAP] Request device [f0:1f.0] fault index 0x0 [fault reason 0x25] Blocked a compatibility format interrupt request", incident.IOMMUFault, ""},
		{"DMAR: VT-d detected Invalidation Time-out Error: SID 0", incident.IOMMUFault, ""},
		{"pcieport 0000:00:1c.0: pciehp: Slot(4): Failed to check link status", incident.PCIeDown, "0000:00:1c.0"},
		{"mlx5_core 0000:56:00.0: wait_func:1189:(pid 72061): ACCESS_REG(0x805) timeout. Will cause a leak of a command resource", incident.NICHang, ""},
		{"e1000e 0000:00:19.0 eth0: Link Speed was downgraded by SmartSpeed", incident.NICSlow, "eth0"},
		{"ixgbe 0000:03:00.0 eth0: Fan has stopped, replace the adapter", incident.FanFailed, ""},
		{"igc: Failed to read reg 0xc030!", incident.PCIeDown, ""},
		{"pcieport 0000:00:1c.0: pciehp: Slot(4): Cannot train link: status 0x0001", incident.PCIeDown, "0000:00:1c.0"},
		{"tsc: Marking TSC unstable due to clocksource watchdog", incident.ClockUnstable, ""},
		{"CPU3: Package temperature is above threshold, cpu clock is throttled (total events = 12)", incident.Throttled, ""},
		{"reboot: HARDWARE PROTECTION shutdown (Temperature too high)", incident.TooHot, ""},
		{"be2net 0000:04:00.0: Error detected in the adapter", incident.NICHang, ""},
		{"igb 0000:01:00.0 eth0: The network adapter was stopped because it overheated", incident.TooHot, "eth0"},
		{"ice 0000:31:00.0: The module's power requirements exceed the device's power supply. Cannot start link", incident.NICModule, "0000:31:00.0"},
		{"tg3 0000:02:00.0 eth0: MSI Status error.  Resetting chip.", incident.NICError, "eth0"},
		{"AMD-Vi: Command buffer timeout", incident.IOMMUFault, ""},
		{"usb usb2-port4: connect-debounce failed", incident.USBDescriptor, "usb usb2-port4"},
		{"mmc0: cqhci: Failed to halt", incident.MMCError, "mmc0"},
		{"mmc0: running CQE recovery", incident.MMCError, "mmc0"},
		{"mmc0: ADMA error: 0x02000000", incident.MMCError, "mmc0"},
	})
	silent(t,
		"workqueue: blk_mq_run_work_fn hogged CPU for >10000us 4 times, consider switching to WQ_UNBOUND",
		"perf: interrupt took too long (2500 > 2500), lowering kernel.perf_event_max_sample_rate to 79750",
		"NMI watchdog: Enabled. Permanently consumes one hw-PMU counter.",
		"kvm [1234]: vcpu0, guest rIP: 0xffffffffa3a6b2d2 unhandled rdmsr: 0x1a2",
		"mce: CPU3: Core temperature/speed normal",
		"pcieport 0000:00:1c.0: AER: device recovery successful",
		"pcieport 0000:00:1c.0: PME: Spurious native interrupt!",
		"EDAC MC: Ver: 3.0.0",
		"tsc: Fast TSC calibration failed",
		"DMAR: DRHD base: 0x000000fed90000 flags: 0x0",
		"GHES: APEI firmware first mode is enabled by APEI bit and WHEA _OSC.",
	)
}

// The severity of an ACPI firmware report is that of the lines before its section.
func TestRecordsOfFirmware(t *testing.T) {
	const of = "{1}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 0\n"
	for _, c := range []struct {
		text string
		want incident.Kind
	}{
		{of + "{1}[Hardware Error]: event severity: corrected\n{1}[Hardware Error]:  Error 0, type: corrected\n{1}[Hardware Error]:   section_type: PCIe error\n", incident.AERCorrected},
		{of + "{1}[Hardware Error]: event severity: fatal\n{1}[Hardware Error]:  Error 0, type: fatal\n{1}[Hardware Error]:   section_type: PCIe error\n", incident.AERFatal},
		{of + "{1}[Hardware Error]: event severity: info\n{1}[Hardware Error]:  Error 0, type: info\n{1}[Hardware Error]:   section_type: PCIe error\n", incident.AERCorrected},
		{of + "{1}[Hardware Error]: event severity: corrected\n{1}[Hardware Error]:  Error 0, type: corrected\n{1}[Hardware Error]:   section_type: memory error\n", incident.EDACCorrected},
		{of + "{1}[Hardware Error]: event severity: fatal\n{1}[Hardware Error]:  Error 0, type: fatal\n{1}[Hardware Error]:   section_type: memory error\n", incident.EDACFatal},
		{of + "{1}[Hardware Error]: severity: 2, corrected\n{1}[Hardware Error]: section: 0, severity: 2, corrected\n{1}[Hardware Error]: section_type: memory error\n", incident.EDACCorrected},
		{of + "{1}[Hardware Error]: event severity: recoverable\n{1}[Hardware Error]:  Error 0, type: recoverable\n{1}[Hardware Error]:   section_type: IA32/X64 processor error\n", incident.MCE},
	} {
		log := readAll(t, c.text)
		if len(log.Events) != 1 || log.Events[0].Kind != c.want {
			t.Errorf("%s: %+v, want one %q", c.text, log.Events, c.want)
		}
	}
}
