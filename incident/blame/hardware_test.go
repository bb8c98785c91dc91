package blame_test

import (
	"strings"
	"testing"
)

// verdicts checks the verdict on each text: a layer, "? a, ? b" for indistinguishable
// ones, or nothing.
func verdicts(t *testing.T, cases []struct{ what, text, want string }) {
	t.Helper()
	for _, c := range cases {
		if v := judge(t, c.text); layers(v) != c.want {
			t.Errorf("%s: %q, want %q: %+v", c.what, layers(v), c.want, v.Cause)
		}
	}
}

func TestWhatOnlyANetworkCardSays(t *testing.T) {
	verdicts(t, []struct{ what, text, want string }{
		{"a card of the ISA bus", "eth1: mismatched read page pointers 4c vs 6f.\neth1: timeout waiting for Tx RDC.\n", "network"},
		{"its firmware", "ixgbe 0000:01:00.1: Warning firmware error detected FWSM: 0x00000000\n", "network"},
		{"a module that is refused", "i40e 0000:01:00.0: Rx/Tx is disabled on this device because an unsupported SFP module type was detected.\n", "network"},
		{"a card whose slot fails", "pcieport 0000:00:1c.0: AER: Uncorrected (Fatal) error received: 0000:01:00.0\nbnxt_en 0000:01:00.0 eth0: Firmware is unresponsive\n", "controller or PCIe"},
	})
}

func TestALinkThatIsLost(t *testing.T) {
	const down, up = "r8125: eth1: Link is Down\n", "r8125: eth1: Link is Up - 2.5Gbps/Full\n"
	verdicts(t, []struct{ what, text, want string }{
		{"twice", up + down + up + down, "network"},
		{"once, and that is all", down + up, "network"},
		{"once, within a log", down + up + strings.Repeat("systemd[1]: Started something.\n", 40), ""},
		{"once, as the machine boots", "[    0.000000] Linux version 6.1.0\n[    9.1] " + down + "[   12.0] " + up, ""},
		{"once, soon after boot", "[    9.1] " + down + "[   12.0] " + up, ""},
		{"once, beside a drive that fails", down + up + "ata1.00: error: { UNC }\n", "drive"},
	})
}

func TestWhatOnlyASupplySays(t *testing.T) {
	const mce = "mce: [Hardware Error]: CPU 3: Machine Check: 0 Bank 5: bea0000000000108\n"
	verdicts(t, []struct{ what, text, want string }{
		{"a UPS", "apcupsd[901]: Reached run time limit on batteries.\n", "power"},
		{"machine checks", mce, "memory or CPU"},
		{"machine checks, and a supply that failed", "4 | 11/02/2023 | 17:40:12 | PS1 Status | Power Supply | Failure\n" + mce, "power"},
		{"machine checks, and a link that fails", "pcieport 0000:00:1c.0: AER: Uncorrected (Fatal) error received: 0000:01:00.0\n" + mce, "controller or PCIe"},
		{"machine checks, and a drive that does not wake up", "nvme 0000:01:00.0: Unable to change power state from D3cold to D0, device inaccessible\n" + mce, "controller or PCIe"},
		{"machine checks, and a drive that is gone", "nvme nvme0: Disabling device after reset failure: -19\n" + mce, "? controller or PCIe, ? drive, ? memory or CPU"},
		{"the clock's battery", "  1f | 03/14/2024 | 02:11:09 | Voltage VBAT | Lower Critical going low  | Asserted\n", "clock"},
		{"a drive that is cut off again and again", "system.journal corrupted or uncleanly shut down\nUnsafe Shutdowns: 7676\n", "power"},
		{"one that was, over the years", "Unsafe Shutdowns: 7676\n", ""},
		{"one that was, now and then", "system.journal corrupted or uncleanly shut down\nUnsafe Shutdowns: 76\n", ""},
		{"a UPS that is lost", "Communications with UPS ups@localhost lost\n", "power"},
		{"a UPS that is lost, within a log", "Communications with UPS ups@localhost lost\n" + strings.Repeat("systemd[1]: Started something.\n", 40), "? power"},
		{"interrupts that arrive damaged", "APIC error on CPU1: 02(08)\nAPIC error on CPU0: 00(02)\n", "? power, ? memory or CPU"},
	})
}

func TestACacheWithoutItsBattery(t *testing.T) {
	verdicts(t, []struct{ what, text, want string }{
		{"alone", "Cache Status: Permanently Disabled\n", "controller or PCIe"},
		{"and a drive that failed", "Cache Status: Temporarily Disabled\nphysicaldrive 1I:1:4 (port 1I:box 1:bay 4, SAS, 300 GB, Failed)\n", "drive"},
	})
}

func TestAFirmwareThatDidNotStart(t *testing.T) {
	verdicts(t, []struct{ what, text, want string }{
		{"an error mode", "ata3.00: ATA-11: SATAFIRM   S11, SBFM61.2, max UDMA/133\n", "drive"},
		{"no spare blocks", "available_spare : 0%\navailable_spare_threshold : 10%\n", "drive"},
		{"an identity that another has", "nvme nvme1: globally duplicate IDs for nsid 1\n", "drive"},
	})
}

func TestCopiesThatDiffer(t *testing.T) {
	const scrub = "Error summary:    csum=312\n  Corrected:      312\n"
	verdicts(t, []struct{ what, text, want string }{
		{"on one device", scrub + "[/dev/sdd1].corruption_errs 312\n[/dev/sdc1].corruption_errs 0\n", "drive"},
		{"on two", scrub + "[/dev/sdd1].corruption_errs 312\n[/dev/sdc1].corruption_errs 11\n", "? drive, ? controller or PCIe"},
		{"where none was repaired", "Error summary:    csum=312\n  Corrected:      0\n  Uncorrectable:  312\n", "? memory or CPU, ? drive"},
		{"beside memory that was corrected", scrub + "EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0\n", "memory or CPU"},
	})
}

func TestCrashesThatShareSomething(t *testing.T) {
	const at3, at5 = "segfault at 11 ip 0 sp 0 error 6 in perl[5] likely on CPU 3 (core 4, socket 0)\n", "segfault at 11 ip 0 sp 0 error 6 in perl[5] likely on CPU 5 (core 6, socket 0)\n"
	const three = "python3[5]: segfault at 2 ip 0 sp 0 error 4 in libpython\npostgres[6]: segfault at 2 ip 0 sp 0 error 4 in postgres\nnm-dispatcher[7] general protection fault ip:7d sp:0 error:0 in libc.so.6\n"
	verdicts(t, []struct{ what, text, want string }{
		{"a processor", "pvestatd[1]: " + at3 + "pveproxy[2]: " + at3 + "pvestatd[3]: " + at3 + "pvestatd[4]: " + at3, "memory or CPU"},
		{"not a processor", "pvestatd[1]: " + at3 + "pveproxy[2]: " + at5 + "pvestatd[3]: " + at3 + "pvestatd[4]: " + at3, ""},
		{"one program", "pvestatd[1]: " + at3 + "pvestatd[2]: " + at3 + "pvestatd[3]: " + at3 + "pvestatd[4]: " + at3, ""},
		{"memory, with a file system", three + "EXT4-fs error (device sda2): ext4_lookup:1785: inode #9456551: comm rsync: iget: checksum invalid\n", "memory or CPU"},
		{"a drive, with a file system", three + "EXT4-fs error (device sda2): ext4_lookup:1785: inode #9456551: comm rsync: iget: checksum invalid\nata1.00: error: { UNC }\n", "drive"},
		{"a file system alone", "EXT4-fs error (device sda2): ext4_lookup:1785: inode #9456551: comm rsync: iget: checksum invalid\n", "file system"},
	})
}

func TestVolumesThatAreNotSetUp(t *testing.T) {
	const skipped = "pvscan[2130] VG vgdata skip autoactivation.\n"
	verdicts(t, []struct{ what, text, want string }{
		{"a pool that is stuck", "Failed to suspend qubes_dom0/pool00 with queued messages.\n", "ZFS, md or LVM"},
		{"a group that is waited for", skipped + `dev-disk-by\x2duuid-57.device: Job dev-disk-by\x2duuid-57.device/start timed out.` + "\n", "ZFS, md or LVM"},
		{"a group that another event activated", skipped, ""},
	})
}

func TestACheckThatBecameStricter(t *testing.T) {
	const leaf = "BTRFS critical (device dm-3): corrupt leaf: block=830717952 slot=86 extent bytenr=2327262031872 len=36864 invalid data ref objectid value "
	verdicts(t, []struct{ what, text, want string }{
		{"a reserved number", leaf + "18446744073709551604\n", "file system"},
		{"a number that none has", leaf + "18446462598732840960\n", "? file system, ? memory or CPU"},
	})
}

func TestChecksumsOfBtrfsThatOverlap(t *testing.T) {
	const leaf = "BTRFS critical (device dm-0): corrupt leaf: root=7 block=172703744 slot=0, "
	const unwritten = "BTRFS error (device dm-0): block=172703744 write time tree block corruption detected\n"
	verdicts(t, []struct{ what, text, want string }{
		{"items that overlap", leaf + "csum end range (12980568064) goes beyond the start range (12980297728) of the next csum item\n" + unwritten, "file system"},
		{"a key that is wrong", leaf + "invalid key objectid\n" + unwritten, "memory or CPU"},
	})
}

func TestFileSystemsOfWholeDisks(t *testing.T) {
	failed := func(disks ...string) (text string) {
		for _, d := range disks {
			text += "[9.1] EXT4-fs (" + d + "): I/O error while writing superblock\n[9.2] EXT4-fs error (device " + d + "): __ext4_find_entry:1664: inode #12: comm x: reading directory lblock 0\n"
		}
		return text
	}
	lost := func(disk string) string {
		return "[9.3] Buffer I/O error on dev " + disk + ", logical block 262144, lost sync page write\n"
	}
	verdicts(t, []struct{ what, text, want string }{
		{"one", failed("sdi"), "? drive, ? cable or link"},
		{"several, as of a CSI driver's volumes", failed("sdi", "sdf"), "? replication engine, ? cable or link"},
		{"several partitions", failed("sdi1", "sdf1"), "? drive, ? cable or link"},
		{"several beside lost writes", failed("sdi", "sdf") + lost("sdi"), "? replication engine, ? cable or link"},
		{"sectors that zed has from the kernel", "zed: eid=1 class=io pool='home3' vdev=wwn-0x5000cca25316e978 size=4096 offset=1024 priority=4 err=61 flags=0x3800b0\n", "drive"},
	})
}

func TestDisksThatFailAtOnce(t *testing.T) {
	const one, other = "[Fri Nov 29 13:58:30 2019] blk_update_request: I/O error, dev sdp, sector 2764468056\n", " 2019] sd 1:0:21:0: [sdv] tag#80 Sense Key : Aborted Command [current] [descriptor]\n"
	verdicts(t, []struct{ what, text, want string }{
		{"in the same second", one + "[Fri Nov 29 13:58:30" + other, "cable or link"},
		{"a disk and what is mapped on it", "[543.674] sd 0:0:0:0: [sda] Sense Key : Aborted Command [current]\n[543.675] I/O error, dev sda, sector 28751848\n[543.676] Buffer I/O error on device dm-0, logical block 2477053\n", "? ZFS, md or LVM, ? drive"},
		{"an hour apart", one + "[Fri Nov 29 14:58:30" + other, "? drive, ? cable or link, ? drive"},
	})
}

// Lines that several layers cause alike convict none of them.
func TestWhatSeveralLayersMakeAlike(t *testing.T) {
	const gone = "rport-3:0-2: blocked FC remote port time out: removing rport\n"
	const refused = "pcieport 0000:40:01.0: AER: Multiple Uncorrected (Non-Fatal) error received: 0000:41:00.0\nigb 0000:41:00.0:    [20] UnsupReq               (First)\n"
	const unmounted = "mount.nfs: Connection timed out\n"
	verdicts(t, []struct{ what, text, want string }{
		{"a remote port that stayed away", gone, "? network, ? iSCSI, NVMe-oF or NFS session"},
		{"and the adapter's own link", "lpfc 0000:82:00.0: 2:(0):1305 Link Down Event x2 received Data: x2 x20 x80000 x0 x0\n" + gone, "network"},
		{"requests that were refused on the bus", refused, "? controller or PCIe"},
		{"and packets that were damaged", refused + "pcieport 0000:40:01.0:    [ 4] DLP\n", "controller or PCIe"},
		{"a mount that never worked", unmounted, "? iSCSI, NVMe-oF or NFS session, ? network"},
		{"and one that worked before", "nfs: server nas not responding, still trying\n" + unmounted, "iSCSI, NVMe-oF or NFS session"},
	})
}
