package blame_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"assay/incident"
	"assay/incident/blame"
	"assay/incident/read"
)

func judge(t testing.TB, text string) blame.Verdict {
	t.Helper()
	r := read.New()
	if err := r.Read("log", "", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return blame.Judge(r.Log())
}

// layers returns the layers that a verdict names, each after "?" if it can't decide.
func layers(v blame.Verdict) string {
	if v.Cause != nil {
		return string(v.Cause.Layer)
	}
	var all []string
	for _, c := range v.Between {
		if w := "? " + string(c.Layer); len(all) == 0 || all[len(all)-1] != w {
			all = append(all, w)
		}
	}
	return strings.Join(all, ", ")
}

// Prometheus and Grafana crash on a node whose kernel says "critical medium error, dev
// sdk". The lines are from "Benchmarking Every Subsystem" (2026-02-22), which found all
// drives healthy: the disk was a Longhorn volume.
const crashLoop = `$ kubectl -n monitoring get pods
prometheus-0   1/2   CrashLoopBackOff   81 (2m ago)   12d
open /prometheus/queries.active: input/output error
panic: Unable to create mmap-ed active query log
$ dmesg
critical medium error, dev sdk
Unrecovered read error - auto reallocate failed
Buffer I/O error, dev sdk
EXT4-fs error (device sdk): Detected aborted journal
`

func TestAVolumeOverISCSIIsNoDrive(t *testing.T) {
	v := judge(t, crashLoop)
	if v.Cause == nil || v.Cause.Says != "a replicated volume (iSCSI), not a drive" || v.Cause.Layer != incident.Engine || v.Cause.Device != "sdk" || v.Cause.How != blame.VeryLikely {
		t.Fatalf("%+v", v)
	}
	var commands []string
	for _, s := range v.Cause.Next {
		commands = append(commands, s.Command)
	}
	if !strings.Contains(strings.Join(commands, "\n"), "lsblk -o NAME,TRAN,VENDOR,MODEL /dev/sdk") {
		t.Errorf("nothing would confirm it: %q", commands)
	}
	for _, e := range v.Cause.Evidence {
		if e.Source.Line < 6 || e.Source.Line > 9 {
			t.Errorf("evidence is not of the kernel's log: %+v", e)
		}
	}
}

// The same errors accuse the drive if the disk is known to be one, and nobody if nothing
// is known of it. A LUN helps: tgt's disks never have LUN 0.
func TestWhatTheDiskHangsOnDecides(t *testing.T) {
	const kernel = "[ 100.0] sd 2:0:0:0: [sdc] tag#3 Sense Key : Medium Error [current]\n[ 100.1] sd 2:0:0:0: [sdc] tag#3 Add. Sense: Unrecovered read error\n" +
		"[ 100.2] sd 2:0:0:0: [sdc] tag#3 CDB: Read(10) 28 00 00 2d 55 d8 00 06 00 00\n[ 100.3] blk_update_request: critical medium error, dev sdc, sector 2971096\n[ 100.4] EXT4-fs error (device sdc): ext4_find_entry:1455: inode #2: comm x: reading directory lblock 0\n"
	for name, c := range map[string]struct{ tree, want string }{
		"nothing":  {"NAME TYPE\nsdc  disk\n", "drive"},
		"a drive":  {"NAME TRAN  VENDOR MODEL TYPE\nsdc  sas   HGST   HUS72 disk\n", "drive"},
		"a target": {"NAME TRAN  VENDOR MODEL        TYPE\nsdc  iscsi IET    VIRTUAL-DISK disk\n", "replication engine"},
		"a guest":  {"NAME TRAN  VENDOR MODEL          TYPE\nsdc        QEMU   QEMU HARDDISK  disk\n", "hypervisor"},
	} {
		if got := layers(judge(t, c.tree+kernel)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for what, text := range map[string]string{
		"LUN 2":                       strings.ReplaceAll(kernel, "2:0:0:0", "2:0:0:2"),
		"no address":                  strings.ReplaceAll(kernel, "sd 2:0:0:0: ", ""),
		"LUN 0 where volumes are too": kernel + "Attached to /dev/longhorn/pvc-1\n",
	} {
		if got := layers(judge(t, text)); got != "? replication engine, ? drive" {
			t.Errorf("%s: %q", what, got)
		}
	}
}

// A disk at LUN 1 is not a drive in a machine: it is likely a volume, with a drive as the
// remaining rival.
func TestALUNBesideTheFirst(t *testing.T) {
	v := judge(t, "[ 100.0] sd 9:0:0:1: [sdk] tag#3 Sense Key : Medium Error [current]\n[ 100.3] blk_update_request: critical medium error, dev sdk, sector 2971096\n")
	if v.Cause == nil || v.Cause.Layer != incident.Engine || v.Cause.How != blame.Likely || len(v.Rivals) != 1 || v.Rivals[0].Layer != incident.Drive || len(v.Others)+len(v.Follows) > 0 {
		t.Errorf("%+v", v)
	}
}

// Every host reports that an OSD is down: the host that has it is to blame.
func TestAnOSDThatIsDownIsOnItsHost(t *testing.T) {
	const health = "HEALTH_WARN 1 osds down; 1 host (1 osds) down\n[WRN] OSD_DOWN: 1 osds down\n    osd.1 (root=default,host=pve2) is down\n"
	for text, want := range map[string]string{
		health: "pve2",
		health + "    osd.4 (root=default,rack=r1,host=pve2) is down\n": "pve2",
		health + "    osd.2 (root=default,host=pve3) is down\n":         "",
		"osd.1 is down\n": "",
	} {
		v := judge(t, text)
		if len(v.Between) != 1 || v.Between[0].Host != want {
			t.Errorf("%q: %+v, want %s", text, v.Between, want)
		}
	}
}

// A read error in reply to a write comes from a software target.
func TestAWriteAnsweredWithAReadError(t *testing.T) {
	const text = "[1.1] sd 4:0:0:1: [sdb] tag#0 Sense Key : Medium Error [current]\n[1.2] sd 4:0:0:1: [sdb] tag#0 Add. Sense: Unrecovered read error\n" +
		"[1.3] sd 4:0:0:1: [sdb] tag#0 CDB: Write(10) 2a 00 00 00 00 00 00 00 10 00\n[1.4] blk_update_request: critical medium error, dev sdb, sector 0\n"
	if v := judge(t, text); layers(v) != "replication engine" {
		t.Errorf("%s: %+v", layers(v), v)
	}
}

const mapFails = "dm-0 (flawed): device-mapper table: target error at sector 0\n"

const ataDeviceError = "[44.0] ata1.00: exception Emask 0x1 SAct 0x40000 SErr 0x0 action 0x0\n[44.1] ata1.00: failed command: READ FPDMA QUEUED\n" +
	"[44.2] ata1.00: cmd 60/80:90:00:00:01/00:00:00:00:00/40 tag 18 ncq dma 65536 in\n         res 50/00:01:00:00:00/00:00:00:00:00/00 Emask 0x1 (device error)\n" +
	"[44.3] ata1: EH complete\n[44.4] I/O error, dev sda, sector 65536 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2\n"

func TestLayers(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"cable", "[1.0] ata4.00: exception Emask 0x10 SAct 0xe000 SErr 0x280100 action 0x6 frozen\n[1.1] ata4: SError: { UnrecovData 10B8B BadCRC }\n[1.2] ata4.00: error: { ICRC ABRT }\n[1.3] ata4: hard resetting link\n[1.4] I/O error, dev sdd, sector 7\n", "cable or link"},
		{"drive", "[1.0] ata3.00: error: { UNC }\n[1.1] ata3: hard resetting link\n[1.2] sd 2:0:0:0: [sdc] Unrecovered read error - auto reallocate failed\n[1.3] I/O error, dev sdc, sector 7\n[1.4] EXT4-fs error (device sdc1): x\n", "drive"},
		{"timeout", "[1.0] ata3.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen\n[1.1] ata3: hard resetting link\n", "? cable or link, ? drive"},
		{"nvme gone", "[1.0] nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0xffff\n[1.1] nvme nvme0: Removing after probe failure status: -19\n[1.2] I/O error, dev nvme0n1, sector 8\n[1.3] EXT4-fs error (device nvme0n1p2): x\n", "? controller or PCIe, ? drive"},
		{"nvme after AER", "[0.5] pcieport 0000:00:1d.0: AER: Uncorrected (Fatal) error received: 0000:01:00.0\n[1.0] nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0xffff\n[1.2] I/O error, dev nvme0n1, sector 8\n", "controller or PCIe"},
		{"iscsi after a flap", "[10.0] igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n[15.0]  connection1:0: ping timeout of 5 secs expired, recv timeout 5\n[15.1]  connection1:0: detected conn error (1022)\n[135.0]  session1: session recovery timed out after 120 secs\n[135.1] sd 9:0:0:1: rejecting I/O to offline device\n[135.2] I/O error, dev sdk, sector 7\n", "network"},
		{"iscsi", "[15.0]  connection1:0: ping timeout of 5 secs expired, recv timeout 5\n[15.1]  connection1:0: detected conn error (1022)\n[135.1] sd 9:0:0:1: rejecting I/O to offline device\n[135.2] I/O error, dev sdk, sector 7\n", "iSCSI, NVMe-oF or NFS session"},
		{"a session to a target of another host", "NAME TRAN  VENDOR   MODEL  TYPE\nsdd  iscsi LIO-ORG  IBLOCK disk\n[15.1]  connection1:0: detected conn error (1020)\n[20.0]  session1: session recovery timed out after 5 secs\n[20.1] I/O error, dev sdd, sector 34818 op 0x1:(WRITE) flags 0x800 phys_seg 256 prio class 2\n", "iSCSI, NVMe-oF or NFS session"},
		{"pod's limit", "[1.0] Memory cgroup out of memory: Killed process 4242 (prometheus) total-vm:1kB\nBack-off restarting failed container prometheus\n", "out of memory"},
		{"dimm", "[1.0] EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0\n[2.0] mce: [Hardware Error]: Machine check events logged\n", "memory or CPU"},
		{"usb", "[1.0] sd 6:0:0:0: [sdb] tag#5 uas_eh_abort_handler 0 uas-tag 6 inflight: CMD OUT\n[1.1] usb 2-1: reset SuperSpeed USB device number 2 using xhci_hcd\n[1.2] I/O error, dev sdb, sector 7\n[1.3] Aborting journal on device sdb1-8.\n", "cable or link"},
		{"a raspberry's supply", "[1.0] hwmon hwmon1: Undervoltage detected!\n[1.1] usb 2-1: reset SuperSpeed USB device number 2 using xhci_hcd\n[1.2] I/O error, dev sda, sector 7\n", "power"},
		{"split brain", "[1.0] drbd r0/0 drbd0 pve2: Split-Brain detected but unresolved, dropping connection!\n[1.1] drbd r0 pve2: conn( Connected -> StandAlone )\n", "replication engine"},
		{"clock", "HEALTH_WARN clock skew detected on mon.b\nMON_CLOCK_SKEW clock skew detected on mon.b\n", "clock"},
		{"full thin pool", "[1.0] device-mapper: thin: 253:4: switching pool to out-of-data-space (queue IO) mode\n[61.0] Buffer I/O error on dev dm-6, logical block 7, lost async page write\n[61.1] EXT4-fs (dm-6): Remounting filesystem read-only\n", "ZFS, md or LVM"},
		{"a drive that answers with an error", ataDeviceError, "drive"}, // QEMU's blkdebug under a SATA disk, Linux 6.1
		{"the same after a reset of its link", ataDeviceError + "[45.0] ata1: hard resetting link\n", "? drive, ? cable or link"},
		{"one that refuses reads, and whose link is slowed down for it", refused + "[9.4] ata5.00: limiting speed to UDMA/66:PIO4\n[9.5] ata5: hard resetting link\n", "? operator, ? drive"},
		{"a USB disk that was pulled", "[1.0] usb 2-1: USB disconnect, device number 2\n[1.1] device offline error, dev sdc, sector 127984 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2\n[1.2] Buffer I/O error on dev sdc, logical block 63992, async page read\n", "cable or link"},
		{"a mapping to nowhere", mapFails + "[60.2] Buffer I/O error on dev dm-0, logical block 1, lost sync page write\n[60.3] EXT4-fs (dm-0): I/O error while writing superblock\n[60.4] EXT4-fs error (device dm-0): ext4_journal_check_start:83: comm dd: Detected aborted journal\n", "ZFS, md or LVM"},
		{"a mapping that nothing complains of", mapFails, "ZFS, md or LVM"},
		{"a mapping to nowhere under md", mapFails + "[60.2] md/raid1:md0: Disk failure on dm-0, disabling device.\n", "ZFS, md or LVM"},
		{"a volume group whose drive is gone", mapFails + "[60.0] nvme nvme0: Removing after probe failure status: -19\n[60.2] Buffer I/O error on dev dm-0, logical block 1, lost sync page write\n", "? controller or PCIe, ? drive"},
		{"a suspended mapping", "dm-0 (flawed): device-mapper: suspended\n[90.0] INFO: task dd:498 blocked for more than 120 seconds.\n", "ZFS, md or LVM"},
		{"a slow mapping", "dm-0 (flawed): device-mapper table: target delay, 200 ms\n", "ZFS, md or LVM"},
		{"a loop device past its file", "loop0: loop device of 67108864 bytes, but its file /mnt/image has 1048576\n[90.0] I/O error, dev loop0, sector 67344 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 2\n", "file system"},
		{"a loop device past its file, which reads as zeros", "loop0: loop device of 67108864 bytes, but its file /mnt/image has 1048576\n", "file system"},
		{"a full file system", "/dev/sda1 on /srv: file system full: 0 of 109780 KiB left\n", "file system"},
		{"a full file system beside a bad drive", "/dev/sda1 on /boot: file system full: 0 of 109780 KiB left\n[1.0] ata3.00: error: { UNC }\n[1.3] I/O error, dev sdc, sector 7\n", "drive"},
		{"a port that has lost its link", "eth1: port in use without a link\n[15.1] drbd r0: PingAck did not arrive in time.\n", "network"},
		{"a port without a link that nobody misses", "eth1: port in use without a link\n", ""},
		{"a clock beside a bad drive", "HEALTH_WARN clock skew detected on mon.b\n[1.0] ata3.00: error: { UNC }\n[1.3] I/O error, dev sdc, sector 7\n", "drive"},
		{"a certificate that is not valid yet", "x509: certificate has expired or is not yet valid: current time 2021-05-14T00:00:21+08:00 is before 2021-05-14T05:45:12Z\n", "clock"},
		{"one that has expired", "x509: certificate has expired or is not yet valid: current time 2023-05-14T00:00:21Z is after 2022-05-14T05:45:12Z\n", "operator"},
		{"a CPU that is often too hot", hot, "thermal"},
		{"a CPU that was too hot once", "[1.0] mce: CPU2: Package temperature above threshold, cpu clock throttled (total events = 1)\n", "? thermal"},
		{"a CPU that is often too hot, which is logged as machine checks", hot + "[1.2] mce: [Hardware Error]: Machine check events logged\n", "thermal"},
		{"one that was too hot once, which is logged so", "[1.0] CPU0: Core temperature above threshold, cpu clock throttled (total events = 1)\n[1.0] [Hardware Error]: Machine check events logged\n", "? thermal"},
		{"one that was too hot once, with a machine check of its own", "[1.0] CPU0: Core temperature above threshold, cpu clock throttled (total events = 1)\n[1.0] [Hardware Error]: Machine check events logged\n[1.1] [Hardware Error]: CPU 0: Machine Check: 0 Bank 5: be00000000800400\n", "memory or CPU"},
		{"a hot CPU with a machine check of its own", hot + "[1.2] mce: [Hardware Error]: CPU 0: Machine Check: 0 Bank 5: be00000000800400\n", "memory or CPU"},
		{"machine checks of which only the number is known", "[1.2] mce: [Hardware Error]: Machine check events logged\n", "memory or CPU"},
		{"a certificate that ended decades ago, by this clock", "x509: certificate has expired or is not yet valid: current time 2069-12-31T00:00:21Z is after 2022-05-14T05:45:12Z\n", "? operator, ? clock"},
		{"a volume whose other node is named by no pod", "Multi-Attach error for volume \"pvc-1\" Volume is already exclusively attached to one node and can't be attached to another\n", "? operator, ? replication engine"},
		{"a drive that smartd can't ask, of which nothing is known", "Device: /dev/sda [SAT], failed to read SMART Attribute Data\n", "? drive, ? cable or link"},
		{"a ZFS disk that is gone", "\tNAME STATE READ WRITE CKSUM\n\ttank DEGRADED 0 0 0\n\t  649844116982152511 UNAVAIL 0 0 0 was /dev/sdd1\n\t  sdc ONLINE 0 0 0\n", "? operator, ? cable or link, ? drive"},
		{"the rows of zpool status that have errors", "NAME STATE READ WRITE CKSUM\n  c0t4d0 ONLINE 12 0 14\n", "? cable or link, ? drive"},
		{"a pool called tank2", "NAME STATE READ WRITE CKSUM\ntank2 ONLINE 12 0 14\n", ""},
		{"a damaged pool on a machine with bad memory", "[1.0] PANIC: zfs: adding existent segment to range tree (offset=1 size=2)\n[2.0] EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0\n", "memory or CPU"},
		{"a scrub that found errors", "HEALTH_ERR 1 scrub errors; Possible data damage: 1 pg inconsistent\n", "drive"},
		{"one that found counts that differ", "cluster [ERR] 5.1 deep-scrub : stat mismatch, got 3/4 objects; 1 scrub errors\n", "? drive"},
		{"one of a cluster that lacks an OSD", "HEALTH_ERR 1 scrub errors\nosd.3 is down since epoch 24\n", "? drive, ? replication engine"},
		{"a copy that an OSD can't read", "\"union_shard_errors\": [\n\"read_error\"\n],\n", "drive"},
		{"an NVMe drive that lost its settings", "[1.0] nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10\n[1.2] I/O error, dev nvme0n1, sector 8\n", "controller or PCIe"},
		{"the same of one that says that it is broken", "Critical Warning:                   0x04\n[1.0] nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10\n", "drive"},
		{"a clock source that fails after days", "[335323.7] clocksource: timekeeping watchdog on CPU5: Marking clocksource 'tsc' as unstable because the skew is too large:\n", "clock"},
		{"one that fails at boot", "[4.7] clocksource: timekeeping watchdog on CPU5: Marking clocksource 'tsc' as unstable because the skew is too large:\n", "? clock"},
		{"one that fails beside a drive", "[335323.7] clocksource: timekeeping watchdog on CPU5: Marking clocksource 'tsc' as unstable because the skew is too large:\n[335324.0] ata3.00: error: { UNC }\n", "drive"},
		{"a clock that nothing sets", "            RTC time: n/a\nNTP synchronized: no\n", "clock"},
		{"one that is not in step just now", "NTP synchronized: no\n", "? clock"},
		{"a SATA link that was woken", woken, "? operator, ? cable or link"},
		{"one that was woken and damages what it carries", woken + "[2.0] ata2.00: error: { ICRC ABRT }\n", "cable or link"},
		{"a drive that was given up after errors of its link", dying, "? drive, ? cable or link"},
		{"one whose transfers were damaged", dying + "[2.0] ata2.00: error: { ICRC ABRT }\n", "cable or link"},
		{"a network block device", "[1.0] block nbd0: Connection timed out\n[1.1] print_req_error: I/O error, dev nbd0, sector 75973376\n[1.2] EXT4-fs warning (device nbd0): ext4_end_bio:322: I/O error 10 writing to inode 12\n", "replication engine"},
		{"a worn drive that fails", "smartctl -a /dev/sda\nPercentage Used: 104%\n[1.0] I/O error, dev sda, sector 7\n", "drive"},
		{"a worn drive beside another that fails", "smartctl -a /dev/sda\nPercentage Used: 104%\n[1.0] I/O error, dev sdb, sector 7\n", "? drive"},
		{"one that replaced thousands of sectors", "  5 Reallocated_Sector_Ct   0x0033   094   094   036    Pre-fail  Always       -       8256\n", "drive"},
		{"one that replaced a few", "  5 Reallocated_Sector_Ct   0x0033   094   094   036    Pre-fail  Always       -       8\n", "? drive"},
		{"a worn drive that works", "smartctl -a /dev/sda\nPercentage Used: 104%\n", "? drive"},
		{"a member that md dropped", "[1.0] md/raid1:md0: Disk failure on sdb3, disabling device.\n", "drive"},
		{"the same as mdadm shows it", "       0       8        3        -      faulty   /dev/sda3\n", "drive"},
		{"one that it dropped after a reset", "[0.9] ata3: hard resetting link\n[1.0] md/raid1:md0: Disk failure on sdb3, disabling device.\n", "? drive, ? cable or link"},
		{"a mapped member", "[1.0] md/raid1:mdX: Disk failure on dm-25, disabling device.\n", "? drive, ? cable or link"},
		{"two partitions of one disk", "[1.0] md/raid1:md0: Disk failure on sdb3, disabling device.\n[1.1] md/raid1:md1: Disk failure on sdb4, disabling device.\n", "drive"},
		{"two members at once", "[1.0] md/raid1:md0: Disk failure on sdb3, disabling device.\n[1.1] md/raid1:md0: Disk failure on sdc3, disabling device.\n", "? drive, ? cable or link"},
		{"one that was away for a moment", "[1.0] md: kicking non-fresh sdb3 from array!\n", "? drive, ? cable or link"},
		{"a task that hangs in a guest", "[0.0] Booting paravirtualized kernel on KVM\n[200.0] INFO: task jbd2/vda1-8:319 blocked for more than 120 seconds.\n", "hypervisor"},
		{"a stuck CPU whose modules are a guest's", "[90.0] watchdog: BUG: soft lockup - CPU#1 stuck for 41s! [migration/1:12]\n[90.1] Modules linked in: vmxnet3 vmw_pvscsi vmw_vmci\n", "hypervisor"},
		{"memory, in a server's own log", "Uncorrectable ECC / other uncorrectable memory error @P2-DIMMH2(CPU2) - Assertion\n", "memory or CPU"},
		{"a power supply that hpasmcli calls failed", "Power supply #2\n\tPresent  : Yes\n\tCondition: FAILED\n", "power"},
		{"one that it calls fine", "Power supply #2\n\tPresent  : Yes\n\tCondition: Ok\n", ""},
		{"something else that failed", "Fan #2\n\tCondition: FAILED\n", ""},
		{"a replica in error", "Detected replica vol-r-d327dd58 (10.42.182.6:10450) in error\n", "replication engine"},
		{"a CRC error in FreeBSD", "(ada0:ahcich0:0:0:0): CAM status: Uncorrectable parity/CRC error\n", "cable or link"},
		{"a hot CPU beside a bad drive", hot + "[2.0] ata3.00: error: { UNC }\n[2.3] I/O error, dev sdc, sector 7\n", "drive"},
		{"a Raspberry Pi that says why it is slow", "throttled=0x50005\n", "power"},
		{"one that says nothing is wrong", "throttled=0x0\n", ""},
		{"a thin pool that lvs calls full", "  LV   VG  Attr       LSize  Pool Origin Data%  Meta%\n  pool vg0 twi-aot-D- 80.00g             100.00 0.12\n  root vg0 -wi-ao---- 10.00g\n", "ZFS, md or LVM"},
		{"one that it calls half full", "  LV   VG  Attr       Data%  Meta%\n  pool vg0 twi-aotz-- 51.00  2.00\n  v    vg0 Vwi-aotz-- 100.00\n", ""},
		{"a thin pool that lvdisplay calls full", "  LV Size                30.00 GiB\n  Allocated pool data    100.00%\n  Allocated metadata     51.12%\n", "ZFS, md or LVM"},
		{"a volume group without one of its volumes", "  WARNING: Couldn't find device with uuid qy0Bgu-o8Ck.\n  WARNING: VG pool is missing PV qy0Bgu-o8Ck (last written to /dev/sdb1).\n", "? drive, ? iSCSI, NVMe-oF or NFS session, ? operator"},
		{"a link that was lost twice within seconds", twice("529233.6", "529236.3"), "network"},
		{"one that was lost twice at boot", twice("12.6", "15.3"), ""},
		{"one that was lost twice in an hour", twice("529233.6", "529833.0"), ""},
		{"an NVMe drive that warns of its wear", "SMART/Health Information (NVMe Log 0x02)\nCritical Warning:                   0x04\nPercentage Used:                    100%\n", "drive"},
		{"one that warns of its heat", "SMART overall-health self-assessment test result: FAILED!\n- temperature is above or below threshold\nCritical Warning:                   0x02\nTemperature:                        86 Celsius\n", "thermal"},
		{"one that smartd can't ask", "Device: /dev/sg1 [cciss_disk_05] [SCSI], Read SMART Self-Test Log Failed\n", "drive"},
		{"reads that a drive refuses", refused, "? operator, ? drive"},
		{"reads that a drive refuses, told by SCSI as well", refused + "[9.4] sd 4:0:0:0: [sde] tag#19 Sense Key : Aborted Command [current]\n", "? operator, ? drive"},
		{"reads that a disk of a guest refuses", "[0.0] DMI: QEMU Standard PC (Q35 + ICH9, 2009), BIOS 1.16.2-debian-1.16.2-1 04/01/2014\n" + refused, "? hypervisor, ? drive"},
		{"reads that a locked drive refuses", refused + "Security: \n\tMaster password revision code = 65534\n\t\tsupported\n\t\tenabled\n\t\tlocked\n", "operator"},
		{"a command that a drive does not know", strings.Replace(strings.Split(refused, "[9.3]")[0], "READ DMA", "SMART", 1), "? drive, ? cable or link"},
		{"DRBD: several resources that the peer dropped", "[57154.6] drbd nfs dbn1: conn( NetworkFailure -> Unconnected ) [disconnected]\n[57159.6] drbd pgsql dbn1: meta connection shut down by peer.\n[57159.7] drbd pgsql dbn1: conn( Connected -> NetworkFailure ) peer( Primary -> Unknown )\n", "network"},
		{"DRBD: one that the peer dropped", "[57159.6] drbd pgsql dbn1: meta connection shut down by peer.\n[57159.7] drbd pgsql dbn1: conn( Connected -> NetworkFailure ) peer( Primary -> Unknown )\n", "? network, ? replication engine"},
		{"DRBD: several, on a host that stalls", "[57150.0] INFO: task dd:498 blocked for more than 120 seconds.\n[57154.6] drbd nfs dbn1: conn( NetworkFailure -> Unconnected ) [disconnected]\n[57159.6] drbd pgsql dbn1: meta connection shut down by peer.\n", "? network, ? replication engine"},
		{"a ZFS disk under another name", "\tNAME STATE READ WRITE CKSUM\n\ttank DEGRADED 0 0 0\n\t  649844116982152511 FAULTED 0 0 0 was /dev/sdd1\n\t  sdc ONLINE 0 0 0\n", "operator"},
		{"a controller that is gone", "[1.0] ata3: failed to resume link (SControl FFFFFFFF)\n[1.1] ata3: SATA link down (SStatus FFFFFFFF SControl FFFFFFFF)\n[1.2] ata3.00: disabled\n[1.3] I/O error, dev sdc, sector 7\n", "controller or PCIe"},
		{"a RAID controller's failed drive", "megaraid_sas 0000:01:00.0: 4144 (4s/0x0002/CRIT) - State change on PD 0e(e0x20/s5) from ONLINE(18) to FAILED(11)\nsd 2:2:0:0: [sda] megasas: RESET cmd=28 retries=0\n", "drive"},
		{"a RAID array that lacks a drive", "c0u0  | RAID-5 |   7854G |   64 KB | RA,WB |  Enabled | Degraded | /dev/sda | None      |None\n", "drive"},
		{"a drive that reports a fault", "[1.0] ata7.00: failed command: READ DMA EXT\n[1.1] ata7.00: status: { DRDY DF ERR }\n[1.2] ata7.00: error: { ABRT }\n[1.3] ata7: EH complete\n", "drive"},
		{"a drive whose log of errors grew", "Device: /dev/sda [SAT], ATA error count increased from 241 to 242\n", "? drive, ? cable or link"},
		{"a drive past its limit", "Device: /dev/sda [SAT], Failed SMART usage Attribute: 233 Media_Wearout_Indicator.\n", "drive"},
		{"a SAS link", "[1.0] sd 0:0:3:0: [sdd] tag#12 Sense Key : Aborted Command [current]\n[1.1] sd 0:0:3:0: [sdd] tag#12 Add. Sense: Information unit iuCRC error detected\n", "cable or link"},
		{"a thin pool that needs a repair", "Check of pool pve/data failed (status:1). Manual repair required!\n", "ZFS, md or LVM"},
		{"the same after its drive failed", "[1.0] ata3.00: error: { UNC }\n[1.3] I/O error, dev sdc, sector 7\nCheck of pool pve/data failed (status:1). Manual repair required!\n", "drive"},
		{"a snapshot that ran full", "[1.0] device-mapper: snapshots: Invalidating snapshot: Unable to allocate exception.\n[1.1] Buffer I/O error on dev dm-6, logical block 7\n", "ZFS, md or LVM"},
		{"a physical volume that was wiped", "  Labels on physical volume \"/dev/sdc2\" successfully wiped.\n  WARNING: Couldn't find device with uuid qy0Bgu-o8Ck.\n", "operator"},
		{"a pool of another system", "cannot import 'tank': pool was previously in use from another system.\n", "operator"},
		{"a pool that ZFS can't make sense of", "[1.0] PANIC: zfs: adding existent segment to range tree (offset=1 size=2)\n[121.0] INFO: task txg_sync:498 blocked for more than 120 seconds.\n", "ZFS, md or LVM"},
		{"a member that is mounted", "mount: /mnt: unknown filesystem type 'linux_raid_member'.\n", "operator"},
		{"the same beside a bad drive", "mount: /mnt: unknown filesystem type 'linux_raid_member'.\n[1.0] ata3.00: error: { UNC }\n[1.3] I/O error, dev sdc, sector 7\n", "drive"},
		{"a type that can't be told", "mount: /mnt: unknown filesystem type '(null)'.\n", "operator"},
		{"a passphrase that does not fit", "No key available with this passphrase.\n", "operator"},
		{"a root that is not found", "ALERT!  UUID=1 does not exist.  Dropping to a shell!\n", "? operator, ? drive, ? cable or link"},
		{"a volume that another node has", "Warning  FailedAttachVolume  Multi-Attach error for volume \"pvc-1\" Volume is already used by pod(s) db-0\n", "operator"},
		{"one that a node has which is down", "Multi-Attach error for volume \"pvc-1\" Volume is already used by pod(s) db-0\nNode a status is now: NodeNotReady\n", "? replication engine"},
		{"an OSD that can't read its disk", "osd.3 bdev(0x5 /dev/x) _aio_thread got r=-5 ((5) Input/output error)\nbdev Unexpected IO error. This may suggest HW issue. Please check your dmesg!\n", "drive"},
		{"an OSD's store", "bluefs mount failed to replay log: (14) Bad address\nosd.1 0 OSD:init: unable to mount object store\n", "replication engine"},
		{"a clock that was far off", "System clock wrong by 31939.769192 seconds, adjustment started\n", "clock"},
		{"the same at boot", "[0.0] Linux version 6.1.0\nSystem clock wrong by 31939.769192 seconds, adjustment started\n", "? clock"},
		{"a clock that was off by a second", "System clock wrong by 1.2 seconds, adjustment started\n", "? clock"},
		{"a clock that is set by a little", "chronyd[1]: System clock was stepped by -0.000123 seconds\nchronyd[1]: System clock was stepped by 0.000000 seconds\n", ""},
		{"one that is set again and again", "ntpd[1]: time reset -1.407942 s\nntpd[1]: time reset +1.403648 s\nntpd[1]: time reset -1.5 s\n", "clock"},
		{"a clock that lost its time", "systemd-timesyncd[239]: System clock time unset or jumped backwards, restoring from recorded timestamp: Fri\n", "? clock"},
		{"one with which certificates fail", "systemd-timesyncd[239]: System clock time unset or jumped backwards, restoring from recorded timestamp: Fri\nx509: certificate has expired or is not yet valid\n", "clock"},
		{"a certificate that is refused for its time", "x509: certificate has expired or is not yet valid\n", "? operator, ? clock"},
		{"a mains failure", "apcupsd[10]: Power failure.\napcupsd[10]: Running on UPS batteries.\n", "power"},
		{"a drive above its limit", "Device: /dev/sdb [SAT], Temperature 62 Celsius reached critical limit of 60 Celsius (Min/Max 20/62)\n", "thermal"},
		{"a fan that stopped", " 3 | 03/07/2021 | 07:10:10 | Fan #0x41 | Lower Critical going low | Asserted\n", "thermal"},
		{"pressure", "systemd-oomd[840]: Killed /system.slice/a.service due to memory used (1) / total (2) and swap used (3) / total (4) being more than 90.00%\n", "out of memory"},
		{"no page", "sshd: page allocation failure: order:0, mode:0x20\n", "out of memory"},
		{"no pages in one piece", "kworker/0:1: page allocation failure: order:4, mode:0x40dc0\n", "out of memory"},
		{"a file that its server lost", "ls: cannot access '/mnt/nfs': Stale file handle\n", "iSCSI, NVMe-oF or NFS session"},
		{"a stuck CPU of a guest", "[0.0] Hypervisor detected: KVM\n[90.0] watchdog: BUG: soft lockup - CPU#1 stuck for 41s! [migration/1:12]\n", "hypervisor"},
		{"one that ran a guest's tool", "[90.0] watchdog: BUG: soft lockup - CPU#1 stuck for 41s! [qemu-ga:864]\n", "hypervisor"},
		{"one of a host that ran a guest", "[90.0] watchdog: BUG: soft lockup - CPU#24 stuck for 26s! [qemu-system-x86:263413]\n", "hypervisor"},
		{"one of which nothing is known", "[90.0] watchdog: BUG: soft lockup - CPU#1 stuck for 41s! [migration/1:12]\n", "? hypervisor, ? memory or CPU"},
		{"one of a guest with machine checks", "[0.0] Hypervisor detected: KVM\n[80.0] mce: [Hardware Error]: CPU 1: Machine Check\n[90.0] watchdog: BUG: soft lockup - CPU#1 stuck for 41s! [migration/1:12]\n", "memory or CPU"},
		{"a file system that was left with errors", "/dev/sda2: UNEXPECTED INCONSISTENCY; RUN fsck MANUALLY.\n", "file system"},
		{"one whose reads fail", "[90.0] EXT4-fs error (device sda2): ext4_find_entry:1455: inode #2: comm x: reading directory lblock 0\n", "? drive, ? cable or link"},
		{"one whose reads fail in a guest", "[0.0] Hypervisor detected: KVM\n[90.0] EXT4-fs error (device nvme0n1p1): ext4_find_entry:1455: inode #2: comm x: reading directory lblock 0\n", "hypervisor"},
		{"one whose mapped device fails", "[90.0] BTRFS error (device dm-0): bdev /dev/mapper/root errs: wr 0, rd 3535, flush 0, corrupt 0, gen 0\n", "? ZFS, md or LVM, ? drive"},
		{"one whose replicated device fails", "[90.0] XFS (drbd0): metadata I/O error in \"xlog_bread_noalign\" at daddr 0x28 len 8 error 5\n", "replication engine"},
		{"a device that is fine as to reads", "[90.0] BTRFS error (device sda1): bdev /dev/sda1 errs: wr 0, rd 0, flush 0, corrupt 1, gen 0\n", "? file system"},
		{"a fatal error of an NVMe controller", "[1.0] nvme nvme0: I/O 329 QID 3 timeout, aborting\n[1.1] nvme nvme0: controller is down; will reset: CSTS=0x3, PCI_STATUS=0x10\n[1.2] I/O error, dev nvme0n1, sector 8\n", "drive"},
		{"the same after the link failed", "[0.9] pcieport 0000:00:1d.0: AER: Uncorrected (Fatal) error received: 0000:01:00.0\n[1.1] nvme nvme0: controller is down; will reset: CSTS=0x3, PCI_STATUS=0x10\n", "controller or PCIe"},
		{"an NVMe drive that does not start", "[1.1] nvme nvme0: Device not ready; aborting initialisation, CSTS=0x0\n", "? drive, ? controller or PCIe"},
		{"an NVMe drive in a guest", "[0.0] Hypervisor detected: KVM\n[1.0] nvme nvme0: I/O 329 QID 3 timeout, aborting\n", "? hypervisor, ? controller or PCIe, ? drive"},
		{"a disk in a guest", "[0.0] Hypervisor detected: KVM\n[1.0] I/O error, dev sda, sector 7\n", "hypervisor"},
		{"an IOMMU that stops a controller", "[1.0] DMAR: DRHD: handling fault status reg 2\n[1.1] ata9.00: qc timeout (cmd 0xec)\n", "controller or PCIe"},
		{"an IOMMU fault alone", "[1.0] DMAR: DRHD: handling fault status reg 2\n", "? controller or PCIe"},
		{"a task in a call to a file server", "[200.0] INFO: task ls:498 blocked for more than 120 seconds.\n[200.1]  rpc_wait_bit_killable+0x1e/0xb0 [sunrpc]\n", "iSCSI, NVMe-oF or NFS session"},
		{"the same after a link flapped", "[10.0] igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n[20.0] igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n[30.0] igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n[200.0] INFO: task ls:498 blocked for more than 120 seconds.\n[200.1]  rpc_wait_bit_killable+0x1e/0xb0 [sunrpc]\n", "network"},
		{"a task that waits for Ceph", "[200.0] INFO: task ls:498 blocked for more than 120 seconds.\n[200.1]  ceph_mdsc_do_request+0x1e/0xb0 [ceph]\n", "replication engine"},
		{"etcd on a slow disk", "etcd: slow fdatasync took=1.9s expected-duration=1s\n", "? drive, ? hypervisor"},
		{"a hardware clock that lost its time", "rtc_cmos 00:03: setting system clock to 1970-01-01T00:00:12 UTC (12)\n", "clock"},
		{"errors that outlast boots", "[332.5] EXT4-fs (sda7): error count since last fsck: 627\n[530.6] EXT4-fs error (device sda7): __ext4_find_entry:1545: inode #37: comm journalctl: checksumming directory block 0\n", "file system"},
		{"a test of memory that failed", "FAILURE: 0x1 != 0x3 at offset 0x0000000000000010.\n", "memory or CPU"},
		{"an array that was not started", "md127 : inactive sdb1[1](S)\n      976630464 blocks super 1.2\n", "? drive, ? cable or link, ? operator"},
		{"a device that was made shorter", "EXT4-fs (sdb1): bad geometry: block count 244190646 exceeds size of device (244190390 blocks)\n", "operator"},
		{"a FAT that was pulled", "FAT-fs (sdb1): Volume was not properly unmounted. Some data may be corrupt. Please run fsck.\n", "? file system"},
		{"a USB device that doesn't say what it is", "[1.0] usb 1-3: device descriptor read/64, error -71\n[2.0] usb usb1-port3: Cannot enable. Maybe the USB cable is bad?\n", "? cable or link, ? controller or PCIe, ? power"},
		{"a write that a disk of an HBA answers with a read error", "[1.0] sd 0:0:9:0: [sdk] tag#915 FAILED Result: hostbyte=DID_OK driverbyte=DRIVER_SENSE\n[1.1] sd 0:0:9:0: [sdk] tag#915 Sense Key : Medium Error [current] [descriptor]\n[1.2] sd 0:0:9:0: [sdk] tag#915 Add. Sense: Unrecovered read error\n[1.3] sd 0:0:9:0: [sdk] tag#915 CDB: Write(16) 8a 00 00 00 00 00 07 c8 fa cb 00 00 00 65 00 00\n[1.4] blk_update_request: critical medium error, dev sdk, sector 130611915 op 0x1:(WRITE) flags 0x0 phys_seg 13 prio class 0\n", "drive"},
		{"a device that needs more power", "usb 1-1.2: rejected 1 configuration due to insufficient available bus power\n", "power"},
		{"a Gluster volume without bricks", "0-gv0-replicate-0: All subvolumes are down. Going offline until at least one of them comes back up.\n", "? replication engine, ? network"},
		{"the same after a link flapped", twice("529233.6", "529236.3") + "0-gv0-replicate-0: All subvolumes are down. Going offline until at least one of them comes back up.\n", "network"},
		{"a degraded Ceph", "HEALTH_WARN 64 pgs degraded; 64 pgs stuck unclean\n", "? replication engine"},
		{"a sector that fails again", "[1.0] " + badSector + "[1.1] Buffer I/O error on dev sda, logical block 122096646, async page read\n[3.0] " + badSector, "drive"},
		{"the same of a disk whose link is reset", "[0.9] ata1: hard resetting link\n[1.0] " + badSector + "[1.1] Buffer I/O error on dev sda, logical block 122096646, async page read\n[3.0] " + badSector, "? drive, ? cable or link"},
		{"an NVMe drive with an internal error", "[1.0] nvme0n1: Write(0x1) @ LBA 1000, 8 blocks, Internal Error (sct 0x0 / sc 0x6)\n[1.1] I/O error, dev nvme0n1, sector 8000 op 0x1:(WRITE)\n", "drive"},
		{"the same beside a bad link", "[0.9] pcieport 0000:00:1c.0: AER: Corrected error received: 0000:01:00.0\n[1.0] nvme0n1: Write(0x1) @ LBA 1000, 8 blocks, Internal Error (sct 0x0 / sc 0x6)\n", "controller or PCIe"},
		{"a disk in a guest that is passed through", "[0.0] Hypervisor detected: KVM\n[0.1] scsi host2: Avago\n[0.2] sd 2:0:0:0: [sdb] Attached SCSI disk\n[1.0] I/O error, dev sdb, sector 7\n", "? hypervisor, ? drive"},
		{"a mapped device that fails by itself", "[1.0] Buffer I/O error on dev dm-3, logical block 7, lost async page write\n[1.1] EXT4-fs error (device dm-3): ext4_journal_check_start:83: comm dd: Detected aborted journal\n", "ZFS, md or LVM"},
		{"one whose disk fails as well", "[0.9] I/O error, dev sda, sector 7\n[1.0] Buffer I/O error on dev dm-3, logical block 7, lost async page write\n", "? ZFS, md or LVM, ? drive"},
		{"one whose disk was cut off", "[0.9] sd 2:0:0:0: rejecting I/O to offline device\n[1.0] Buffer I/O error on dev dm-3, logical block 7, lost async page write\n", "? cable or link, ? iSCSI, NVMe-oF or NFS session"},
		{"a DRBD that fails requests", "[1.0] Buffer I/O error on dev drbd1000, logical block 7, lost async page write\n", "replication engine"},
		{"an md array that fails requests", "[1.0] Buffer I/O error on dev md0, logical block 7, lost async page write\n", "? ZFS, md or LVM, ? drive"},
		{"a damaged ext4", "[3603.2] EXT4-fs error (device sda2): ext4_lookup:1584: inode #2: comm cp: deleted inode referenced: 12\n", "file system"},
		{"a damaged XFS", "[3603.2] XFS (dm-0): Internal error XFS_WANT_CORRUPTED_GOTO at line 3505 of file fs/xfs/libxfs/xfs_btree.c.\n", "file system"},
		{"an XFS whose checksums fail", "[3603.2] XFS (sda2): Metadata CRC error detected at xfs_agi_read_verify, xfs_agi block 0x2\n", "? file system, ? memory or CPU"},
		{"a damaged ext4 on an SD card", "[3603.2] EXT4-fs error (device mmcblk1p2): ext4_lookup:1584: inode #2: comm cp: deleted inode referenced: 12\n", "? file system, ? memory or CPU"},
		{"one on a whole disk, as CSI drivers make them", "[3603.2] EXT4-fs error (device sdk): ext4_lookup:1584: inode #2: comm cp: deleted inode referenced: 12\n", "? file system, ? memory or CPU"},
		{"one of a guest", "[0.0] Hypervisor detected: KVM\n[3603.2] EXT4-fs error (device sda2): ext4_lookup:1584: inode #2: comm cp: deleted inode referenced: 12\n", "? file system, ? memory or CPU"},
		{"one beside corrected memory errors", "[1.0] EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0\n[3603.2] EXT4-fs error (device sda2): ext4_lookup:1584: inode #2: comm cp: deleted inode referenced: 12\n", "memory or CPU"},
		{"a btrfs with a bad leaf", "[3603.2] BTRFS critical (device sda2): corrupt leaf: root=5 block=1 slot=7\n", "? file system, ? memory or CPU"},
		{"reads that fail on a guest's disk", "[9.0] EXT4-fs error (device vda1): ext4_find_entry:1455: inode #2: comm x: reading directory lblock 0\n", "hypervisor"},
		{"reads that fail on an image in Ceph", "[9.0] EXT4-fs error (device rbd0): ext4_find_entry:1455: inode #2: comm x: reading directory lblock 0\n", "replication engine"},
		{"a mount that finds no file system", "mount: /mnt: wrong fs type, bad option, bad superblock on /dev/sdb1, missing codepage or helper program, or other error.\n", "? operator, ? file system, ? drive"},
		{"the same of a drive that can't be read", "[1.0] ata3.00: error: { UNC }\nmount: /mnt: can't read superblock on /dev/sdb1.\n", "drive"},
		{"a directory that is full", "[9.0] EXT4-fs warning (device sda1): ext4_dx_add_entry:2523: Directory (ino: 1234) index full, reach max htree level :2\n", "file system"},
		{"a btrfs without one of its devices", "[9.0] BTRFS error (device sda2): devid 2 uuid 4d4d is missing\n[9.1] BTRFS error (device sda2): open_ctree failed\n", "? drive, ? cable or link"},
		{"a member whose sector md wrote anew", "[9.0] md/raid1:md0: read error corrected (8 sectors at 12345 on sdb1)\n", "drive"},
		{"the same after a reset", "[8.0] ata3: hard resetting link\n[9.0] md/raid1:md0: read error corrected (8 sectors at 12345 on sdb1)\n", "? drive, ? cable or link"},
		{"an array that lacks a member", "md0 : active raid1 sda1[0]\n      976630464 blocks super 1.2 [2/1] [U_]\n", "? drive, ? cable or link"},
		{"a disk without a mark of md", "mdadm: no recogniseable superblock on /dev/sdb1\n", "? operator, ? ZFS, md or LVM"},
		{"damaged metadata of LVM", "  Incorrect metadata area header checksum on /dev/sda2 at offset 4096\n", "ZFS, md or LVM"},
		{"a pool of which a part is active", "  Activation of logical volume pve/data is prohibited while logical volume pve/data_tmeta is active.\n", "ZFS, md or LVM"},
		{"a disk that something else holds", "  device-mapper: create ioctl on vg-lv failed: Device or resource busy\n", "? ZFS, md or LVM, ? operator"},
		{"a physical volume and its clone", "  WARNING: Not using device /dev/sdb2 for PV qy0Bgu-o8Ck.\n", "operator"},
		{"checksums of zio", "zio pool=tank vdev=/dev/sda1 error=52 type=1 offset=1 size=8192 flags=b08c1\nzio pool=tank vdev=/dev/sdb1 error=52 type=1 offset=1 size=8192 flags=b08c1\n", "? controller or PCIe, ? memory or CPU"},
		{"a drive that counts media errors and fails", "smartctl -a /dev/sda\nread:   12345678        4         0  12345682          5      45678.901          2\n[1.0] I/O error, dev sda, sector 7\n", "drive"},
		{"a PCIe error that the firmware reports", "[1.0] {1}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 4\n[1.1] {1}[Hardware Error]: event severity: corrected\n[1.2] {1}[Hardware Error]:   section_type: PCIe error\n", "controller or PCIe"},
		{"a memory error that it reports", "[1.0] {1}[Hardware Error]: event severity: corrected\n[1.2] {1}[Hardware Error]:   section_type: memory error\n", "memory or CPU"},
		{"a guest whose time is stolen", "%Cpu(s):  5.0 us,  2.0 sy,  0.0 ni, 58.0 id,  0.0 wa,  0.0 hi,  0.0 si, 35.0 st\n", "hypervisor"},
		{"a stuck CPU whose stack is a guest's", "[90.0] watchdog: BUG: soft lockup - CPU#1 stuck for 41s! [migration/1:12]\n[90.1]  pvclock_clocksource_read+0x1/0x90\n", "hypervisor"},
		{"a stuck CPU of which nothing is known", "[90.0] watchdog: BUG: soft lockup - CPU#1 stuck for 41s! [migration/1:12]\n", "? hypervisor, ? memory or CPU"},
		{"a task that waits for a guest's disk", "[200.0] INFO: task jbd2/vda1-8:319 blocked for more than 120 seconds.\n", "hypervisor"},
		{"a task of no file system in a guest", "[0.0] Booting paravirtualized kernel on KVM\n[200.0] INFO: task mysqld:319 blocked for more than 120 seconds.\n", "? hypervisor, ? drive, ? iSCSI, NVMe-oF or NFS session"},
		{"a cluster that a member left, which may have been shut down", "pacemaker-based[2336]:  notice: Node node1 state is now lost\n", "? network"},
		{"a cluster that lost a member", "sbd[2321]:  warning: inquisitor_child: Servant cluster is outdated (age: 730)\npacemaker-based[2336]:  notice: Node node1 state is now lost\npacemaker-controld[2341]:  warning: Our DC node (node1) left the cluster\n", "? network, ? operator"},
		{"the same of a machine that was restarted", "pacemaker-based[2336]:  notice: Node node1 state is now lost\nreboot: Restarting system\n", "? network"},
		{"lost packets", "10 packets transmitted, 8 received, 20% packet loss, time 9012ms\n", "network"},
		{"lost packets beside a bad drive", "10 packets transmitted, 8 received, 20% packet loss, time 9012ms\n[1.0] ata3.00: error: { UNC }\n", "drive"},
		{"a port that damages frames", "     rx_crc_errors: 18221\n", "network"},
		{"an address that two have", "IPv6: eth0: IPv6 duplicate address fe80::1 used by aa:bb:cc:dd:ee:ff detected!\n", "? operator, ? network"},
		{"a clock without a source", "chronyd[699]: Can't synchronise: no selectable sources\n", "clock"},
		{"a clock without a battery", "rtc-ds1307 1-0068: oscillator failed, set time!\n", "clock"},
		{"CPUs that were too hot, and nothing else", "[1.0] CPU2: Package temperature above threshold, cpu clock throttled (total events = 1)\n[1.0] CPU0: Package temperature above threshold, cpu clock throttled (total events = 1)\n", "thermal"},
		{"the same beside an error", "[1.0] CPU2: Package temperature above threshold, cpu clock throttled (total events = 1)\n[1.0] CPU0: Package temperature above threshold, cpu clock throttled (total events = 1)\n[2.0] INFO: task dd:498 blocked for more than 120 seconds.\n", "? thermal, ? drive, ? iSCSI, NVMe-oF or NFS session"},
		{"a sensor that is critical", "CPU Temp         | 98.000     | degrees C  | cr    | 5.000\n", "thermal"},
		{"a Ceph daemon that crashed", "BlueFS.cc: 2352: FAILED ceph_assert(r == 0)\n", "replication engine"},
		{"a stalled CPU without timer interrupts", "[23.6] rcu: INFO: rcu_sched detected stalls on CPUs/tasks:\n[23.6] rcu:     1-...!: (0 ticks this GP) idle=c54/0/0x0 softirq=11/11 fqs=0\n", "hypervisor"},
		{"one that had them", "[23.6] rcu: INFO: rcu_sched detected stalls on CPUs/tasks:\n[23.6] rcu:     1-....: (5249 ticks this GP) idle=c54/1/0x4000000000000000 softirq=11/11 fqs=2600\n", "? hypervisor, ? memory or CPU"},
		{"one that is locked up", "[22.0] Watchdog detected hard LOCKUP on cpu 1\n[23.6] rcu: INFO: rcu_sched detected stalls on CPUs/tasks:\n[23.6] rcu:     1-....: (0 ticks this GP) idle=c54/1/0x4000000000000000 softirq=11/11 fqs=2600\n", "? hypervisor, ? memory or CPU"},
		{"IOMMU faults again and again", strings.Repeat("[1.0] DMAR: DRHD: handling fault status reg 2\n", 3), "controller or PCIe"},
		{"an interrupt that nobody takes", "[9.0] irq 16: nobody cared (try booting with the \"irqpoll\" option)\n[9.1] Disabling IRQ #16\n[40.0] ata3.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen\n", "controller or PCIe"},
		{"a graphics card that is gone", "[9.0] NVRM: GPU 0000:01:00.0: GPU has fallen off the bus.\n", "controller or PCIe"},
		{"an SD card that fails", "[9.0] blk_update_request: I/O error, dev mmcblk0, sector 12345678\n[9.1] EXT4-fs (mmcblk0p2): Remounting filesystem read-only\n", "drive"},
		{"one whose reader times out", "[8.0] mmc0: Timeout waiting for hardware interrupt.\n[9.0] blk_update_request: I/O error, dev mmcblk0, sector 12345678\n", "? drive, ? controller or PCIe"},
		{"an error of the bus that the drive does not see", "[1.0] ata4.00: exception Emask 0x10 SAct 0x0 SErr 0x0 action 0x6\n[1.1]          res 40/00:00:00:00:00/00:00:00:00:00/00 Emask 0x10 (ATA bus error)\n[1.2] ata4: hard resetting link\n", "cable or link"},
		{"a block of btrfs that was damaged before it was written", "[9.0] BTRFS critical (device sda2): corrupt leaf: root=5 block=1 slot=7, invalid key\n[9.1] BTRFS error (device sda2): block=1 write time tree block corruption detected\n", "memory or CPU"},
		{"a stuck CPU whose modules are a guest's, too", "[90.0] watchdog: BUG: soft lockup - CPU#1 stuck for 41s! [migration/1:12]\n[90.1] Modules linked in: tls qxl drm virtio_net\n", "hypervisor"},
		{"an NVMe drive that went read-only, as smartctl explains it", "SMART overall-health self-assessment test result: FAILED!\n- media has been placed in read only mode\n", "drive"},
		{"a task in a guest whose stack waits for a disk", "[0.0] Booting paravirtualized kernel on KVM\n[200.0] INFO: task mysqld:319 blocked for more than 120 seconds.\n[200.1]  jbd2_log_wait_commit+0x1e/0xb0 [jbd2]\n", "hypervisor"},
		{"the same on a machine of which nothing is known", "[200.0] INFO: task mysqld:319 blocked for more than 120 seconds.\n[200.1]  jbd2_log_wait_commit+0x1e/0xb0 [jbd2]\n", "? drive, ? iSCSI, NVMe-oF or NFS session"},
		{"the same after an error", "[0.0] Booting paravirtualized kernel on KVM\n[199.0] I/O error, dev vda, sector 7\n[200.0] INFO: task mysqld:319 blocked for more than 120 seconds.\n[200.1]  jbd2_log_wait_commit+0x1e/0xb0 [jbd2]\n", "hypervisor"},
		{"etcd on a guest's disk", "[0.0] Booting paravirtualized kernel on KVM\netcd: slow fdatasync took=1.9s expected-duration=1s\n", "hypervisor"},
		{"a virtual network card that hangs", "[1.0] NETDEV WATCHDOG: eth0 (virtio_net): transmit queue 0 timed out\n", "hypervisor"},
		{"a real one", "[1.0] NETDEV WATCHDOG: eth0 (r8169): transmit queue 0 timed out\n", "network"},
		{"a drive in a cloud", "[0.0] DMI: Amazon EC2 m5.large/, BIOS 1.0 10/16/2017\n[1.0] nvme nvme0: I/O 329 QID 3 timeout, aborting\n", "hypervisor"},
		{"checksum errors of a disk that is not named", "ZFS has detected a checksum error: eid: 138 class: checksum host: a\n", "? cable or link, ? drive"},
		{"copies of Gluster that differ", "[afr-self-heal-common.c:1] 0-gv0-replicate-0: possible split-brain\n", "replication engine"},
		{"a DRBD without data", "drbd r0: State change failed: Need access to UpToDate data\n", "replication engine"},
		{"a DRBD that damages data on the way", "drbd r0/0 drbd0 pve2: Digest integrity check FAILED: 123s +4096\n", "? network, ? memory or CPU"},
		{"guest", "[1.0] blk_update_request: I/O error, dev vda, sector 7\n[1.1] EXT4-fs (vda1): Remounting filesystem read-only\n", "hypervisor"},
		{"an export that refuses a client", "mount.nfs: access denied by server while mounting 10.0.0.5:/export\n", "operator"},
		{"the same beside a bad drive", "mount.nfs: access denied by server while mounting 10.0.0.5:/export\n[1.0] ata3.00: error: { UNC }\n", "drive"},
		{"a disk that something else holds", "mdadm: Cannot open /dev/sdb1: Device or resource busy\n", "operator"},
		{"a volume group without room", "  Insufficient free space: 41183 extents needed, but only 24498 available\n", "ZFS, md or LVM"},
		{"a guest for which there is no memory", "kvm: cannot set up guest memory 'pc.ram': Cannot allocate memory\n", "out of memory"},
		{"a card for which there is none", "RTNETLINK answers: Cannot allocate memory\n", "? out of memory"},
		{"a heap that is full", "java.lang.OutOfMemoryError: Java heap space\n", "out of memory"},
		{"page tables that are wrong", "[9.0] BUG: Bad page map in process cron  pte:8000000 pmd:12\n", "memory or CPU"},
		{"a crash in ZFS", "[9.0] BUG: kernel NULL pointer dereference, address: 0000000000000010\n[9.1] RIP: 0010:txg_sync_thread+0x2c/0x30 [zfs]\n", "ZFS, md or LVM"},
		{"a crash in KVM", "[9.0] general protection fault, probably for non-canonical address 0x1\n[9.1] RIP: 0010:kvm_x+0x2c/0x30 [kvm]\n", "hypervisor"},
		{"one on a machine with bad memory", "[9.0] BUG: kernel NULL pointer dereference, address: 0000000000000010\n[9.1] RIP: 0010:txg_sync_thread+0x2c/0x30 [zfs]\n[10.0] EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0\n", "memory or CPU"},
		{"one in a module of a graphics card", "[9.0] BUG: kernel NULL pointer dereference, address: 0000000000000010\n[9.1] RIP: 0010:amdgpu_x+0x2c/0x30 [amdgpu]\n", ""},
		{"four programs that crash", segfaults("cron", "sshd", "bash", "python3"), "memory or CPU"},
		{"four that crash in as many hours", strings.Join([]string{segfaults("cron"), strings.ReplaceAll(segfaults("sshd"), "[9.0]", "[3700.0]"), strings.ReplaceAll(segfaults("bash"), "[9.0]", "[8000.0]"), strings.ReplaceAll(segfaults("perl"), "[9.0]", "[12000.0]")}, ""), ""},
		{"one program that crashes four times", segfaults("cron", "cron", "cron", "cron"), ""},
		{"a Raspberry Pi that was slowed down by heat", "throttled=0x80000\n", "thermal"},
		{"XFS that finds a block wrong which it read", "XFS (dm-8): Metadata corruption detected at xfs_dir3_data_read_verify+0x5e/0x110 [xfs], xfs_dir3_data block 0x5e070348\nXFS (dm-8): Unmount and run xfs_repair\nXFS (dm-8): metadata I/O error: block 0x5e070348 (\"xfs_trans_read_buf_map\") error 117 numblks 8\nXFS (dm-8): I/O Error Detected. Shutting down filesystem\n", "file system"},
		{"XFS that can't read its block", "XFS (dm-8): metadata I/O error: block 0x5e070348 (\"xfs_trans_read_buf_map\") error 5 numblks 8\n", "? ZFS, md or LVM, ? drive"},
		{"XFS that can't read some blocks and finds others wrong", "XFS (dm-7): metadata I/O error: block 0x280000010 (\"xlog_bread_noalign\") error 5 numblks 8\nXFS (dm-2): Corruption warning: Metadata has LSN (1:2736) ahead of current LSN (1:120). Please unmount and run xfs_repair\n", "? ZFS, md or LVM, ? drive, ? file system"},
		{"a bcachefs that finds a node wrong", "bcachefs (sdb): btree node read error: no device to read from\n", "file system"},
		{"an XFS of an old kernel", "Filesystem \"dm-0\": XFS internal error xfs_iformat_btree at line 705 of file fs/xfs/xfs_inode.c.\n", "file system"},
		{"a block number that no device has", "attempt to access beyond end of device\ndm-1: rw=0, want=4121118138320289800, limit=5846859776\n", "file system"},
		{"one that a longer device had", "attempt to access beyond end of device\nsda1: rw=0, want=976773176, limit=976773168\n", "operator"},
		{"one of a device that is gone", "attempt to access beyond end of device\nsda1: rw=0, want=976773176, limit=0\n", "? cable or link, ? iSCSI, NVMe-oF or NFS session"},
		{"an address of btrfs with a stray bit", "BTRFS critical (device dm-0): unable to find chunk map for logical 281564888793088 length 16384\n", "memory or CPU"},
		{"one that btrfs tells as an error", "BTRFS error (device nvme0n1p2): unable to find logical 18014398509481984 length 4096\n", "memory or CPU"},
		{"one without", "BTRFS critical (device dm-0): unable to find chunk map for logical 564888793088 length 16384\n", "? file system, ? memory or CPU"},
		{"keys of btrfs that are out of order", "bad key ordering 73 74\nERROR: errors found in extent allocation tree or chunk allocation\n", "memory or CPU"},
		{"a card whose journal was aborted", "EXT4-fs error (device mmcblk0p2): ext4_journal_check_start:56 Detected aborted journal\n", "drive"},
		{"a card that can't be read", "EXT4-fs error (device mmcblk0p2): __ext4_find_entry:1662: inode #1234: comm systemd: reading directory lblock 0\n", "drive"},
		{"one whose reader times out", "mmc0: Timeout waiting for hardware interrupt.\nEXT4-fs error (device mmcblk0p2): ext4_journal_check_start:56 Detected aborted journal\n", "? drive, ? controller or PCIe"},
		{"a file system of a guest that was left inconsistent", "EXT4-fs error (device vda2): ext4_mb_generate_buddy:758: group 65, block bitmap and bg descriptor inconsistent: 9 vs 10 free clusters\n", "file system"},
		{"commands that a transport gave up", "[1.0] sd 2:0:0:1: [sda] tag#35 FAILED Result: hostbyte=DID_TRANSPORT_DISRUPTED driverbyte=DRIVER_OK\n[1.1] I/O error, dev sda, sector 2468552 op 0x1:(WRITE)\n", "iSCSI, NVMe-oF or NFS session"},
		{"a USB disk that left, of a kernel without names", "[1.0] sd 1:0:0:0: [sdb] tag#0 UNKNOWN(0x2003) Result: hostbyte=0x07 driverbyte=0x00\n[1.1] usb 2-2: USB disconnect, device number 3\n", "cable or link"},
		{"a drive that was away for a moment", "[1.0] ata2: SError: { RecovComm PHYRdyChg 10B8B Dispar BadCRC TrStaTrns }\n[1.1] ata2: hard resetting link\n[1.2] ata2: SATA link down (SStatus 0 SControl 300)\n[4.0] ata2: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n", "? drive, ? cable or link"},
		{"a write that a SATA drive could not do", "sd 2:0:0:0: [sdc] tag#3 Sense Key : Medium Error [current]\nsd 2:0:0:0: [sdc] tag#3 Add. Sense: Unrecovered read error - auto reallocate failed\nsd 2:0:0:0: [sdc] tag#3 CDB: Write(10) 2a 00 00 2d 55 d8 00 06 00 00\n", "drive"},
		{"CRC errors that grow", "Device: /dev/sdd [SAT], SMART Usage Attribute: 199 UDMA_CRC_Error_Count changed from 200 to 199\n", "cable or link"},
		{"many CRC errors of a drive that times out", "199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always       -       1312\n[1.0] ata3.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen\n", "cable or link"},
		{"many of one whose bus fails", "199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always       -       1312\n[1.0] ata4.00: cmd 61/10 Emask 0x10 (ATA bus error)\n", "cable or link"},
		{"a pool that was lost with its USB disk", "[9.1] usb 3-2: USB disconnect, device number 5\n[9.9] WARNING: Pool 'backup' has encountered an uncorrectable I/O failure and has been suspended.\n", "cable or link"},
		{"many CRC errors of a drive that works", "199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always       -       1312\n", "? cable or link"},
		{"a disk that ZFS gave up", "\tNAME STATE READ WRITE CKSUM\n\ttank DEGRADED 0 0 0\n\t  ata-a FAULTED 16 4 0 too many errors\n\t  ata-b ONLINE 0 0 0\n", "drive"},
		{"two disks that it gave up", "\tNAME STATE READ WRITE CKSUM\n\ttank DEGRADED 0 0 0\n\t  ata-a FAULTED 16 4 0 too many errors\n\t  ata-b DEGRADED 12 0 0 too many errors\n", "? cable or link, ? drive"},
		{"the same checksum errors on both disks", "\tNAME STATE READ WRITE CKSUM\n\ttank ONLINE 0 0 0\n\t  ata-a ONLINE 0 0 4\n\t  ata-b ONLINE 0 0 4\n", "memory or CPU"},
		{"others on each", "\tNAME STATE READ WRITE CKSUM\n\ttank ONLINE 0 0 0\n\t  ata-a ONLINE 0 0 4\n\t  ata-b ONLINE 0 0 9\n", "? controller or PCIe, ? memory or CPU"},
		{"a link that was lost twice long after a boot", "[0.0] Linux version 6.1.0\n" + twice("529233.6", "529236.3"), "network"},
		{"a link that was lost three times in two boots", "[0.0] Linux version 6.1.0\n" + twice("3.1", "90.3") + "[0.0] Linux version 6.1.0\n" + twice("3.1", "90.3"), "network"},
		{"a link that was lost twice, in a log of a machine that did not boot", "2026-02-01T08:00:00+0000 a kernel: igb 0000:01:00.0 eth0: NIC Link is Down\n2026-02-01T08:00:20+0000 a kernel: igb 0000:01:00.0 eth0: NIC Link is Down\n", "network"},
		{"the same after a boot", "2026-02-01T07:59:50+0000 a kernel: Linux version 6.1.0\n2026-02-01T08:00:00+0000 a kernel: igb 0000:01:00.0 eth0: NIC Link is Down\n2026-02-01T08:00:20+0000 a kernel: igb 0000:01:00.0 eth0: NIC Link is Down\n", ""},
		{"a bond that lost a link", "kernel: bond0: (slave eno1): link status definitely down, disabling slave\n", "network"},
		{"one that does at boot", "[8.1] bond0: (slave eno1): link status definitely down, disabling slave\n", ""},
		{"a bitmap that ext4 calls corrupt", "EXT4-fs error (device sda2): ext4_validate_inode_bitmap:98: comm dpkg: Corrupt inode bitmap - block_group = 32, inode_bitmap = 1048577\n", "file system"},
		{"a gigabit card at 100 Mbit/s", "[9.0] e1000e 0000:00:1f.6 eno1: NIC Link is Up 100 Mbps Full Duplex\n", "network"},
		{"another card", "[9.0] fec 2188000.ethernet eth0: Link is Up - 100Mbps/Full\n", "? network"},
		{"a virtual card, as virtio names it", "[9.0] virtio_net virtio0 eth0: TX timeout on queue: 0, sq: output.0, vq: 0x1, name: output.0, 5000000 usecs ago\n", "hypervisor"},
		{"a task that waits for DRBD", "[200.0] INFO: task jbd2/drbd0-8:319 blocked for more than 120 seconds.\n", "replication engine"},
		{"one whose stack shows it", "[200.0] INFO: task mysqld:319 blocked for more than 120 seconds.\n[200.1]  drbd_al_begin_io+0x1e/0xb0 [drbd]\n", "replication engine"},
		{"a guest that could not be moved", "2026-09-11 10:00:03 ERROR: online migrate failure - VM 101 qmp command 'migrate' failed - aborting\n", "hypervisor"},
		{"commands of a guest's disk that are aborted", "[0.0] Hypervisor detected: VMware\n[9.0] sd 2:0:0:0: attempting task abort! scmd(ffff8814605d2100)\n", "hypervisor"},
		{"an unreadable block, as QEMU tells it", "ERROR: job failed with err -61 - No data available\n", "drive"},
		{"an unreadable sector of a disk with partitions", "[1.0] blk_update_request: critical medium error, dev sda, sector 2971096\n[1.1] Buffer I/O error on dev sda1, logical block 7, async page read\n", "drive"},
		{"an OSD whose store does not open", "bluefs mount failed to replay log: (14) Bad address\nosd.1 0 OSD:init: unable to mount object store\n", "replication engine"},
		{"one whose disk can't be read", "_open_db erroring opening db: (5) Input/output error\n", "? replication engine, ? drive"},
		{"a daemon of Ceph that met an impossible state", "BlueStore.cc: 2352: FAILED ceph_assert(r == 0)\n", "replication engine"},
		{"one whose device failed", "KernelDevice.cc: 500: FAILED ceph_assert(r == 0)\n", "? replication engine, ? drive"},
		{"daemons that crashed", "RECENT_CRASH 1 daemons have recently crashed\n", "? replication engine, ? drive"},
		{"a clock for which there is no service", "System clock synchronized: no\n              NTP service: inactive\n", "clock"},
		{"a kernel without its initramfs", "Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\n", "operator"},
		{"a volume that its driver does not attach", "Warning  FailedAttachVolume  AttachVolume.Attach failed for volume \"pvc-1\" : rpc error: code = DeadlineExceeded desc = context deadline exceeded\n", "? replication engine, ? network"},
		{"an OSD that was marked down while it ran", "osd.3 123 map e124 wrongly marked me down at e124\n", "? network, ? replication engine"},
		{"a drive behind a RAID controller whose log grew", "Device: /dev/sg2 [areca_disk#04_enc#01], ATA error count increased from 459 to 461\n", "drive"},
		{"a target that refuses a login", "iscsiadm: initiator reported error (24 - iSCSI login failed due to authorization failure)\n", "? operator, ? iSCSI, NVMe-oF or NFS session"},
		{"a target that was lost and refuses a login", "[1.0]  connection1:0: detected conn error (1022)\niscsiadm: initiator reported error (24 - iSCSI login failed due to authorization failure)\n", "iSCSI, NVMe-oF or NFS session"},
		{"XFS that shuts itself down", "XFS (sda2): Corruption of in-memory data (0x8) detected at xfs_defer_finish_noroll+0x1.  Shutting down filesystem.\n", "file system"},
		{"a host that can't be reached", "dial tcp 10.0.0.5:6443: connect: no route to host\n", "? network"},
		{"a stalled CPU whose kernel's thread did not run", "[740.3] rcu: INFO: rcu_sched detected stalls on CPUs/tasks:\n[740.4] rcu: rcu_sched kthread starved for 15004 jiffies! g15041 f0x2 RCU_GP_WAIT_FQS(5) ->state=0x0 ->cpu=0\n", "hypervisor"},
		{"nothing known", "[1.0] I/O error, dev sda, sector 7\n", "? drive, ? cable or link"},
		{"nothing at all", "[1.0] systemd[1]: Hostname set to <pve1>.\n", ""},
	} {
		v := judge(t, c.text)
		if got := layers(v); got != c.want {
			t.Errorf("%s: %q, want %q: %+v", c.name, got, c.want, v)
		}
	}
}

const hot = "[1.0] mce: CPU2: Core temperature above threshold, cpu clock throttled (total events = 2675)\n[1.1] mce: CPU2: Core temperature/speed normal\n"

const woken = "[1.0] ata2.00: exception Emask 0x10 SAct 0x600000 SErr 0x850000 action 0x6 frozen\n[1.1] ata2.00: irq_stat 0x08000000, interface fatal error\n[1.2] ata2: SError: { PHYRdyChg CommWake LinkSeq }\n[1.3] ata2: hard resetting link\n"

// segfaults returns the log lines of crashing programs.
func segfaults(programs ...string) string {
	text := ""
	for _, p := range programs {
		text += "[9.0] " + p + "[1234]: segfault at 0 ip 00007f12 sp 00007f13 error 4 in libc.so.6[7f10+1]\n"
	}
	return text
}

// badSector is a failed read.
const badSector = "I/O error, dev sda, sector 976773168 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2\n"

const dying = "[1.0] ata2: SError: { PHYRdyChg 10B8B DevExch }\n[1.1] ata2: hard resetting link\n[1.2] ata2: reset failed, giving up\n[1.3] ata2.00: disabled\n[1.4] I/O error, dev sdb, sector 7\n"

const refused = "[9.0] ata5.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x0\n[9.1] ata5.00: failed command: READ DMA\n         res 51/04:08:08:00:00/00:00:00:00:00/e0 Emask 0x1 (device error)\n[9.2] ata5.00: error: { ABRT }\n[9.3] I/O error, dev sde, sector 8\n"

// twice returns a link that goes down at two times since boot.
func twice(first, second string) string {
	return "[" + first + "] ixgbe 0000:04:00.1 ixgbe1: NIC Link is Down\n[" + second + "] ixgbe 0000:04:00.1 ixgbe1: NIC Link is Down\n"
}

// Each rule has its own id and file, and finds nothing in nothing.
func TestRules(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range blame.Rules() {
		if r.ID == "" || r.Title == "" || ids[r.ID] {
			t.Errorf("rule %q has no id or title of its own", r.ID)
		}
		ids[r.ID] = true
		if _, err := os.Stat(strings.ReplaceAll(r.ID, "-", "_") + ".go"); err != nil {
			t.Errorf("rule %s has no file of its own: %v", r.ID, err)
		}
		if found := r.Check(blame.Case{}); len(found) > 0 {
			t.Errorf("%s finds %v in nothing", r.ID, found)
		}
	}
}

func FuzzJudge(f *testing.F) {
	f.Add(crashLoop)
	f.Add("md: invalid superblock checksum on sdb1\nState : clean, degraded\nLeap status : Not synchronised\n20% packet loss\nlibceph: x\ndrbd r0: Digest integrity check FAILED\n35.0 st\nXFS (sda1): Internal error\n")
	f.Add("[1.0] ata4: SError: { BadCRC }\nnvme nvme0: I/O 1 QID 2 timeout, aborting\nlow water mark reached low water mark\nosd.3 slow ops\n")
	f.Fuzz(func(t *testing.T, text string) {
		v := judge(t, text)
		all := slices.Concat(v.Rivals, v.Between, v.Others)
		if v.Cause != nil {
			all = append(all, *v.Cause)
		}
		for _, c := range all {
			if len(c.Evidence) == 0 || len(c.Next) == 0 || c.Says == "" || c.Why == "" || c.How < blame.Possible || c.How > blame.Certain {
				t.Errorf("%+v", c)
			}
		}
	})
}

// What machines log every day, or once at boot, yields no verdict.
func TestEverydayLinesBlameNobody(t *testing.T) {
	for name, text := range map[string]string{
		"empty SATA ports at boot":              "[1.1] ata2: SATA link down (SStatus 0 SControl 300)\n[1.2] ata3: SATA link down (SStatus 4 SControl 300)\n",
		"a disk is attached":                    "[1.1] sd 2:0:0:0: Power-on or device reset occurred\n[1.2] sd 2:0:0:0: [sdc] Attached SCSI disk\n",
		"a drive without a medium":              "[9.1] blk_update_request: I/O error, dev sr0, sector 0 op 0x0:(READ)\n[9.2] Buffer I/O error on dev sr0, logical block 0, async page read\n",
		"an unsupported discard":                "[9.1] critical target error, dev sda, sector 0 op 0x3:(DISCARD) flags 0x800 phys_seg 1\n[9.2] critical target error, dev nvme0n1, sector 0 op 0x9:(WRITE_ZEROES) flags 0x0 phys_seg 0\n",
		"a SATA port that is slow at boot":      "[1.1] ata2: softreset failed (device not ready)\n[2.1] ata2: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n",
		"firmware RAID":                         "md127 : inactive sda[1](S) sdb[0](S)\n      5288 blocks super external:imsm\n",
		"a virtual machine boots":               "[0.0] Linux version 6.1.0\n[0.0] Hypervisor detected: KVM\n[0.0] DMI: QEMU Standard PC (Q35 + ICH9, 2009), BIOS 1.16.2 04/01/2014\n",
		"a Raspberry Pi boots":                  "[0.0] Linux version 6.1.0\nsystemd[1]: System time before build time, advancing clock.\nsystemd-timesyncd[239]: System clock time unset or jumped backwards, restoring from recorded timestamp: Fri\nsystemd[1]: Time has been changed\n",
		"a SATA drive is plugged in":            plugged,
		"one on a dirty plug":                   strings.Replace(plugged, "{ CommWake DevExch }", "{ PHYRdyChg CommWake 10B8B Dispar DevExch }", 1),
		"one after the port was empty":          "[1.1] ata3: SATA link down (SStatus 0 SControl 300)\n[900.1] ata3: hard resetting link\n[900.9] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n[900.9] ata3: EH complete\n",
		"one that is found by a rescan":         "[100.1] ata3: hard resetting link\n[100.8] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n" + identified + "[101.0] ata3: EH complete\n",
		"one that spins up for long":            strings.Replace(plugged, "[100.9]", "[110.3] ata3: COMRESET failed (errno=-16)\n[110.3] ata3: hard resetting link\n[115.2]", 1),
		"a USB disk is pulled that nobody uses": "[9.1] usb 2-1: USB disconnect, device number 3\n[9.2] sd 2:0:0:0: [sdb] Synchronizing SCSI cache\n[9.3] sd 2:0:0:0: [sdb] Synchronize Cache(10) failed: Result: hostbyte=DID_ERROR driverbyte=DRIVER_OK\n",
		"DRBD is set up and taken down":         "[9.1] drbd r0 pve2: conn( StandAlone -> Unconnected ) [connect]\n[9.2] drbd r0 pve2: conn( Connected -> Disconnecting ) [down]\n[9.3] drbd r0 pve2: conn( Disconnecting -> StandAlone ) [disconnected]\n[9.4] drbd r0/0 drbd0: disk( UpToDate -> Detaching ) [down]\n[9.5] drbd r0/0 drbd0: disk( Detaching -> Diskless ) [go-diskless]\n",
		"bridges of a hypervisor come up":       "[9.1] vmbr0: port 1(enp1s0) entered disabled state\n[9.2] vmbr1: port 1(enp2s0) entered disabled state\n[9.3] vmbr2: port 1(enp3s0) entered disabled state\n",
		"a bridge whose port comes up":          "[9.1] br0: port 1(enp3s0) entered blocking state\n[9.1] br0: port 1(enp3s0) entered disabled state\n[9.2] r8169 0000:03:00.0 enp3s0: Link is Down\n[9.2] br0: port 1(enp3s0) entered disabled state\n[12.3] r8169 0000:03:00.0 enp3s0: Link is Up - 1Gbps/Full - flow control rx/tx\n",
		"a container network":                   "[9.1] systemd-networkd[1]: docker0: Lost carrier\n[9.2] systemd-networkd[1]: docker0: Lost carrier\n[9.3] systemd-networkd[1]: docker0: Lost carrier\n",
		"a pod may stay where the disk is full": "Tolerations: node.kubernetes.io/disk-pressure:NoSchedule op=Exists\n",
		"a camera is reset":                     "[9.1] usb 1-4: reset high-speed USB device number 3 using xhci_hcd\n",
		"a graphics card sleeps":                "[9.1] nouveau 0000:01:00.0: Unable to change power state from D3cold to D0, device inaccessible\n",
		"a port at each of three boots":         strings.Repeat("[0.0] Linux version 6.1.0\n[3.1] igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n", 3),
		"a port before and after a boot":        "[812.0] igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n[0.0] Linux version 6.1.0\n[3.1] igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n",
		"a port of two boots at like times":     "[812.0] igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n[0.0] Linux version 6.1.0\n[820.0] igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n",
		"a port of two boots, the second alone": "[812.0] igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n[3.1] igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n",
		"a port at each of four boots":          "2026-02-01T08:00:00+0000 a kernel: e1000e 0000:00:1f.6 eno1: NIC Link is Down\n2026-02-02T08:00:00+0000 a kernel: e1000e 0000:00:1f.6 eno1: NIC Link is Down\n2026-02-03T08:00:00+0000 a kernel: e1000e 0000:00:1f.6 eno1: NIC Link is Down\n2026-02-04T08:00:00+0000 a kernel: e1000e 0000:00:1f.6 eno1: NIC Link is Down\n",
	} {
		v := judge(t, text)
		if v.Cause != nil {
			t.Errorf("%s: blames %s: %+v", name, v.Cause.Layer, v.Cause)
		}
		for _, c := range v.Between {
			if c.Layer == incident.Drive || c.Layer == incident.Controller {
				t.Errorf("%s: suspects %s", name, c.Says)
			}
		}
	}
}

// A drive being plugged into a port, as libata logs it.
const (
	identified = "[100.9] ata3.00: ATA-9: ST4000VN008-2DR166, SC60, max UDMA/133\n[100.9] ata3.00: configured for UDMA/133\n[100.9] scsi 2:0:0:0: Direct-Access     ATA      ST4000VN008-2DR1 SC60 PQ: 0 ANSI: 5\n[101.0] sd 2:0:0:0: [sdc] Attached SCSI disk\n"
	plugged    = "[100.0] ata3: exception Emask 0x10 SAct 0x0 SErr 0x4040000 action 0xe frozen\n[100.0] ata3: irq_stat 0x00000040, connection status changed\n[100.0] ata3: SError: { CommWake DevExch }\n" +
		"[100.0] ata3: hard resetting link\n[100.9] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n" + identified + "[101.0] ata3: EH complete\n"
)

// A plug event clears only the resets that belong to it.
func TestAPlugClearsNothingElse(t *testing.T) {
	const reset, up, failed = "ata3: hard resetting link\n", "ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n", "ata3.00: failed command: WRITE FPDMA QUEUED\n"
	for name, text := range map[string]string{
		"a reset that nothing explains": "[900.1] " + reset + "[900.9] " + up,
		"an hour after the plug":        plugged + "[3700.0] " + reset + "[3701.0] " + up,
		"another port's":                plugged + "[100.5] ata4: hard resetting link\n",
		"the drive was at work":         "[99.0] " + failed + plugged,
		"again and again":               strings.Repeat(plugged, 4),
		"and I/O failed":                plugged + "[102.0] I/O error, dev sdc, sector 8\n",
	} {
		if v := judge(t, text); !strings.Contains(layers(v), "drive") {
			t.Errorf("%s: %q", name, layers(v))
		}
	}
}

// An old count of media errors or reallocated sectors alone blames nobody: the drive
// of "Benchmarking Every Subsystem" with 519 media errors was healthy.
func TestAnOldCountIsNoVerdict(t *testing.T) {
	v := judge(t, "smartctl -a /dev/nvme0\nSMART overall-health self-assessment test result: PASSED\nMedia and Data Integrity Errors:    519\nError Information Log Entries:      0\n")
	if v.Cause != nil || len(v.Between) != 1 || v.Between[0].How != blame.Possible {
		t.Errorf("%+v", v)
	}
}

// A checksum that differs in one bit was itself damaged in memory; one that differs in
// many may belong to damaged data, and decides nothing.
func TestAChecksumThatDiffersInOneBit(t *testing.T) {
	line := "[9.1] BTRFS warning (device dm-0): csum failed root 257 ino 21089988 off 204800 csum 0x31430ccd expected csum 0x"
	if v := judge(t, line+"31438ccd mirror 1\n"); v.Cause == nil || v.Cause.Layer != incident.Memory {
		t.Errorf("one bit: %+v", v)
	}
	for what, text := range map[string]string{
		"many bits":         line + "8941f998 mirror 1\n",
		"one and many bits": line + "31438ccd mirror 1\n" + strings.Replace(line, "dm-0", "dm-1", 1) + "8941f998 mirror 1\n",
	} {
		if v := judge(t, text); v.Cause != nil {
			t.Errorf("%s: blames %s", what, v.Cause.Layer)
		}
	}
}

// btrfs generations that differ in one high bit were damaged in memory. A lost write
// makes them differ by a few, which may be one low bit.
func TestAGenerationThatDiffersInOneBit(t *testing.T) {
	const line = "[35.7] BTRFS error (device nvme0n1p2): parent transid verify failed on logical 393631498240 mirror 1 wanted "
	if v := judge(t, line+"4611686018429035688 found 1647784\n"); v.Cause == nil || v.Cause.Layer != incident.Memory {
		t.Errorf("%+v", v)
	}
	for _, numbers := range []string{"18132 found 18128", "4611686018429035688 found 1647785", "18132 found"} {
		if v := judge(t, line+numbers+"\n"); v.Cause != nil {
			t.Errorf("%s: blames %s", numbers, v.Cause.Layer)
		}
	}
}

// A file system that is inconsistent just after boot was left that way. Later, or with a
// device error, something else may be the cause.
func TestAnInconsistencyJustAfterBoot(t *testing.T) {
	const line = "EXT4-fs error (device sda2): ext4_mb_generate_buddy:745: group 1441, block bitmap and bg descriptor inconsistent: 7962 vs 7963 free clusters\n"
	if v := judge(t, "[    3.203707] "+line); v.Cause == nil || v.Cause.Layer != incident.FileSystem {
		t.Errorf("just after boot: %+v", v)
	}
	for what, text := range map[string]string{
		"an hour later":     "[ 3603.203707] " + line,
		"after an error":    "[    3.1] blk_update_request: I/O error, dev sda, sector 800\n[    3.203707] " + line,
		"a failed read":     "[    3.203707] EXT4-fs error (device sda2): ext4_find_entry:1455: inode #2: comm systemd: reading directory lblock 0\n",
		"without any times": line,
	} {
		if v := judge(t, text); v.Cause != nil && v.Cause.Layer == incident.FileSystem && v.Cause.How > blame.Likely {
			t.Errorf("%s: %+v", what, v.Cause)
		}
	}
}

// Advice about a server's power supply is not about a cable.
func TestAServersPowerSupply(t *testing.T) {
	for text, command := range map[string]string{
		"PSU0003: The power input for power supply 1 is lost.\n": "ipmitool",
		"[1.0] hwmon hwmon1: Undervoltage detected!\n":           "vcgencmd",
	} {
		if v := judge(t, text); v.Cause == nil || !strings.Contains(v.Cause.Next[0].Command, command) {
			t.Errorf("%s%+v", text, v)
		}
	}
}

// The register in an old kernel's line reveals a damaged transfer as well as its
// words do.
func TestABusErrorWithCRC(t *testing.T) {
	if v := judge(t, "[1.1] ata1.00: exception Emask 0x0 SAct 0x0 SErr 0x10c00000 action 0x2\n[1.2] ata1.00: tag 0 cmd 0x30 Emask 0x10 stat 0x51 err 0x84 (ATA bus error)\n"); v.Cause == nil || v.Cause.Layer != incident.Link {
		t.Errorf("%+v", v)
	}
	if v := judge(t, "[1.2] ata1.00: tag 0 cmd 0x30 Emask 0x10 stat 0x51 err 0x4 (ATA bus error)\n"); v.Cause != nil {
		t.Errorf("without CRC: %+v", v.Cause)
	}
}

// Signs that decide only together: the text, and the layer that it must name. An empty
// layer means none.
func TestSignsThatDecideTogether(t *testing.T) {
	const (
		transid  = "BTRFS error (device sdg): parent transid verify failed on 52180048330752 wanted "
		lost     = "multipathd[1491]: mpathu: remaining active paths: "
		inUse    = "Message: cannot import 'rpool': pool may be in use from other system\n"
		missing  = "/dev/mapper/data-root does not exist\n"
		lvs      = "  LV   VG   Attr       LSize\n  root data "
		checksum = "zed[9866]: eid=12 class=checksum pool='rpool' vdev=nvme-eui.0025-part3\n"
		down     = "            3 osds down\n"
		nts      = "TLS handshake with 198.51.100.1:4460 failed : The certificate chain uses expired certificate.\n"
		sector   = "ata3.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6\nata3.00: error: { ICRC ABRT }\nend_request: I/O error, dev sdb, sector 243798095\nata4.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6\nata4.00: error: { ICRC ABRT }\nend_request: I/O error, dev sdc, sector 24379"
	)
	for text, want := range map[string]string{
		transid + "132477 found 132432\n": "file system",
		transid + "144360 found 144376\n": "file system",
		transid + "144376 found 144360\n": "", // a single low bit
		lost + "1\n":                      "",
		lost + "0\n":                      "iSCSI, NVMe-oF or NFS session",
		inUse:                             "operator",
		inUse + "Manually import the root pool at the command prompt then exit.\n": "ZFS, md or LVM",
		missing:                               "",
		missing + lvs + "-wi------- 47.39g\n": "ZFS, md or LVM",
		missing + lvs + "-wi-a----- 47.39g\n": "",
		lvs + "-wi------- 47.39g\n":           "",
		checksum:                              "",
		checksum + "KERNEL PANIC! Please reboot your computer.\n": "memory or CPU",
		"KERNEL PANIC! Please reboot your computer.\n":            "",
		"$ ssh pve1 sudo qm stop 122\n" + down:                    "operator",
		down + "$ ssh pve1 sudo qm stop 122\n":                    "",
		"$ ssh pve1 sudo qm stop 122\n":                           "",
		"chronyd[4470]: " + nts:                                   "clock",
		"curl[4470]: " + nts:                                      "",
		sector + "8095\n":                                         "controller or PCIe",
		sector + "9999\n":                                         "", // two cables at once
		"systemd[1]: Failed to mount /srv/media.\nsystemd[1]: Dependency failed for Local File Systems.\n":      "operator",
		"systemd[1]: Dependency failed for Local File Systems.\n":                                               "",
		"mmcblk0: error -110 transferring data, sector 6016528, nr 56, cmd response 0x900, card status 0xb00\n": "drive",
		"mmcblk0: error -84 transferring data, sector 6016528, nr 56, cmd response 0x900, card status 0xb00\n":  "",
		"megaraid_sas 0000:03:00.0: 10286 (631006687s/0x0001/FATAL) - VD 06/4 is now OFFLINE\n":                 "drive",
		"ERROR: VM 101 qmp command 'guest-ping' failed - got timeout\n":                                         "",
		"        \"OOMKilled\": false,\n": "",
	} {
		v := judge(t, text)
		got := ""
		if v.Cause != nil {
			got = string(v.Cause.Layer)
		}
		if got != want {
			t.Errorf("%s: blames %q, want %q", text, got, want)
		}
	}
}
