package read_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"assay/incident"
	"assay/incident/read"
)

func readAll(t testing.TB, text string) incident.Log {
	t.Helper()
	r := read.New()
	if err := r.Read("log", "", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return r.Log()
}

// Lines as printed by kernels and tools; the sources of most are in the corpus of
// doc/incidents.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		line   string
		kind   incident.Kind
		device string
		host   string
		when   string
	}{
		{"[Tue Oct 27 08:51:35 2020] blk_update_request: critical medium error, dev sdk, sector 2971096 op 0x0:(READ) flags 0x80700", incident.MediumError, "sdk", "", "2020-10-27 08:51:35"},
		{"[211786.517948] sd 4:0:0:1: [sdb] tag#0 Sense Key : Medium Error [current]", incident.MediumError, "sdb", "", "+58h49m46.517948s"},
		{"Jul 14 10:25:59 immortal kernel: [699615.762794] print_req_error: critical medium error, dev sdf, sector 1811939592", incident.MediumError, "sdf", "immortal", "0000-07-14 10:25:59"},
		{"<3>1 2020-12-02T21:55:55.886277+01:00 stkub15 kernel - - - blk_update_request: critical medium error, dev sdd, sector 41945408", incident.MediumError, "sdd", "stkub15", "2020-12-02 20:55:55.886277"},
		{"kern  :err   : [  +0.000001] [Tue Jan 13 04:33:10 2026] [T88870] I/O error, dev sda, sector 2466368 op 0x1:(WRITE)", incident.IOError, "sda", "", "2026-01-13 04:33:10"},
		{"2026-02-22T12:00:00+0000 pve4 kernel: nvme nvme0: I/O 123 QID 4 timeout, aborting", incident.NVMeTimeout, "nvme0", "pve4", "2026-02-22 12:00:00"},
		{`{"MESSAGE":"nvme nvme1: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10","__REALTIME_TIMESTAMP":"1767225600000000","_HOSTNAME":"a"}`, incident.NVMeGone, "nvme1", "a", "2026-01-01 00:00:00"},
		{"[Mi Apr  6 22:00:42 2022] Aborting journal on device sdm-8.", incident.FSAbort, "sdm", "", "2022-04-06 22:00:42"},
		{"kernel: ata4: SError: { UnrecovData 10B8B BadCRC }", incident.ATACRC, "ata4", "", ""},
		{"[ 7395.936693] ata4.00: irq_stat 0x08000000, interface fatal error", incident.ATAFatal, "ata4", "", "+2h3m15.936693s"},
		{"[   12.5] EXT4-fs error (device nvme0n1p2): ext4_find_entry:1455: inode #2: comm sh: reading directory lblock 0", incident.FSError, "nvme0n1p2", "", "+12.5s"},
		{"E0222 12:00:00.123456    1234 kubelet.go:2] Back-off restarting failed container prometheus", incident.PodCrash, "", "", "0000-02-22 12:00:00.123456"},
		{`time="2023-05-01T10:00:00Z" level=error msg="Setting replica tcp://10.0.0.1:10000 to ERR due to: r/w timeout"`, incident.EngineSlow, "", "", "2023-05-01 10:00:00"},
		{"usb 2-1.4: reset SuperSpeed USB device number 3 using xhci_hcd", incident.USBReset, "usb 2-1.4", "", ""},
		{"drbd r0 pve2: PingAck did not arrive in time.", incident.DRBDNet, "r0", "", ""},
		{"ixgbe 0000:03:00.0 eth0: NIC Link is Down", incident.NICDown, "eth0", "", ""},
		{"ixgbe 0000:03:00.0 lower_right: NIC Link is Down", incident.NICDown, "lower_right", "", ""},
		{"px2 systemd-networkd[1368]: lower_right: Lost carrier", incident.NICDown, "lower_right", "", ""},
		{"kernel: e1000e 0000:00:1f.6 _p2cf05d501bfb: Detected Hardware Unit Hang:", incident.NICHang, "_p2cf05d501bfb", "", ""},
		{"Current_Pending_Sector   val=099 worst=098 thresh=000  raw=624", incident.SMARTPending, "", "", ""},
		{"Reallocated_Sector_Ct 8256", incident.SMARTRealloc, "", "", ""},
		{"Device: /dev/sdb [SAT], failed to read SMART Attribute Data", incident.SMARTUnread, "sdb", "", ""},
		{"throttled=0x80000", incident.Throttled, "", "", ""},
		{"Device: /dev/sg1 [megaraid_disk_22], failed to read SMART values", incident.SMARTUnread, "sg1", "", ""},
		{"c0u0  | RAID-5 |   7854G |   64 KB | RA,WB |  Enabled | Degraded | /dev/sda | None      |None", incident.RAIDDegraded, "sda", "", ""},
		{"1 2024-12-19 03:52:38 +0000 error: Corrected error, no action required., CPU 2, bank Unified Memory Controller (bank=17), mcg mcgstatus=0", incident.EDACCorrected, "", "", ""},
		{"temp=84.2'C", incident.Throttled, "", "", ""},
		{"mc0: csrow2: CPU_SrcID#0_Ha#0_Chan#1_DIMM#0: 126 Corrected Errors", incident.EDACCorrected, "", "", ""},
		{"FAILURE: 0x1 != 0x3 at offset 0x0000000000000010.", incident.MemoryTest, "", "", ""},
		{"Memory cgroup stats: oom_reaper: reaped process 4242 (prometheus), now anon-rss:0kB", incident.OOM, "prometheus", "", ""},
		{"md127 : inactive sdb1[1](S)\n      976630464 blocks super 1.2", incident.MDInactive, "md127", "", ""},
		{"  /dev/vdb: read failed after 0 of 4096 at 0: Input/output error", incident.IOError, "vdb", "", ""},
		{"FAT-fs (mmcblk0p1): Volume was not properly unmounted. Some data may be corrupt. Please run fsck.", incident.FSCheck, "mmcblk0p1", "", ""},
		{"EXT4-fs (sdb1): bad geometry: block count 244190646 exceeds size of device (244190390 blocks)", incident.DeviceShort, "sdb1", "", ""},
		{"(ada0:ahcich0:0:0:0): ATA status: 41 (DRDY ERR), error: 40 (UNC )", incident.ATAMedia, "", "", ""},
		{"# 1  Extended offline    Completed: servo/seek failure 90%     14101         -", incident.SMARTSelfTest, "", "", ""},
		{"PSU0003: The power input for power supply 1 is lost.", incident.PowerLost, "", "", ""},
		{"0-gv0-replicate-0: All subvolumes are down. Going offline until at least one of them comes back up.", incident.GlusterDown, "", "", ""},
		{"nvme nvme0: controller is down; will reset: CSTS=0x3, PCI_STATUS=0x10", incident.NVMeFatal, "nvme0", "", ""},
		{"nvme nvme0: Device not ready; aborting initialisation, CSTS=0x0", incident.NVMeUnready, "nvme0", "", ""},
		{"nvme nvme0: Device not ready; aborting reset, CSTS=0xffffffff", incident.NVMeGone, "nvme0", "", ""},
		{"rtc_cmos 00:03: setting system clock to 1970-01-01T00:00:12 UTC (12)", incident.RTCLost, "", "", ""},
		{"igb 0000:01:00.0 eth0: PCIe link lost", incident.PCIeDown, "0000:01:00.0", "", ""},
		{"[9.0]  rpc_wait_bit_killable+0x1e/0xb0 [sunrpc]", incident.WaitsForRPC, "", "", "+9s"},
		{"The node was low on resource: ephemeral-storage.", incident.DiskPressure, "", "", ""},
		{"ahci 0000:01:00.0: AHCI controller unavailable!", incident.ControllerGone, "0000:01:00.0", "", ""},
		{"[   12.675312] ata3: SATA link down (SStatus FFFFFFFF SControl FFFFFFFF)", incident.ControllerGone, "ata3", "", "+12.675312s"},
		{"[    1.1] ata3: SATA link down (SStatus 0 SControl 300)", incident.ATALinkDown, "ata3", "", "+1.1s"},
		{"sd 2:2:0:0: [sda] megasas: RESET cmd=28 retries=0", incident.HBAFault, "", "", ""},
		{"megaraid_sas 0000:01:00.0: 4142 (4s/0x0002/WARN) - Unexpected sense: PD 0e(e0x20/s5) Path 5000c500, CDB: 28 00, Sense: 3/11/00", incident.RAIDDrive, "", "", ""},
		{"ata7.00: status: { DRDY DF ERR }", incident.ATAFault, "ata7", "", ""},
		{"Jul  3 02:53:48 hst smartd[812]: Device: /dev/sdb [SAT], 8 Currently unreadable (pending) sectors", incident.SMARTPending, "sdb", "hst", "0000-07-03 02:53:48"},
		{"Device: /dev/sda [SAT], ATA error count increased from 241 to 242", incident.SMARTLogged, "sda", "", ""},
		{"Device: /dev/sda [SAT], Failed SMART usage Attribute: 233 Media_Wearout_Indicator.", incident.SMARTPast, "sda", "", ""},
		{"Device: /dev/sda [SAT], Failed SMART usage Attribute: 190 Airflow_Temperature_Cel.", incident.Warm, "sda", "", ""},
		{"202 Percent_Lifetime_Used   0x0030   001   001   001    Old_age   Offline  FAILING_NOW 99", incident.SMARTPast, "", "", ""},
		{"Device: /dev/nvme0, Critical Warning (0x04): Reliability", incident.SMARTWarning, "nvme0", "", ""},
		{"sd 0:0:3:0: [sdd] tag#12 Add. Sense: Information unit iuCRC error detected", incident.ParityError, "sdd", "", ""},
		{"Check of pool pve/data failed (status:1). Manual repair required!", incident.PoolDamaged, "pve/data", "", ""},
		{"  Thin pool pve-data-tpool (253:4) transaction_id is 4542, while expected 4544.", incident.PoolDamaged, "pve-data-tpool", "", ""},
		{"device-mapper: snapshots: Invalidating snapshot: Unable to allocate exception.", incident.SnapshotFull, "", "", ""},
		{"mount: /mnt: unknown filesystem type 'LVM2_member'.", incident.MountWrong, "LVM2_member", "", ""},
		{"/dev/sda2: UNEXPECTED INCONSISTENCY; RUN fsck MANUALLY.", incident.FSCheck, "sda2", "", ""},
		{"Jul  3 02:53:48 hst ntpd[1432]: time reset -10.407942 s", incident.ClockStepped, "", "hst", "0000-07-03 02:53:48"},
		{"System time     : 3605.497253180 seconds slow of NTP time", incident.ClockSkew, "", "", ""},
		{"curl: (60) SSL certificate problem: certificate has expired", incident.CertExpired, "", "", ""},
		{"E: Release file for http://deb.debian.org/debian/dists/bookworm-updates/InRelease is not valid yet (invalid for another 3h 2min 8s).", incident.CertNotYet, "", "", ""},
		{"Dec 21 06:54:23 ups apcupsd[10]: Running on UPS batteries.", incident.PowerLost, "", "ups", "0000-12-21 06:54:23"},
		{"systemd-oomd[840]: Killed /user.slice/a.scope due to memory pressure for /user.slice being 51.07% > 50.00% for > 20s with reclaim activity", incident.OOM, "", "", ""},
		{"sshd: page allocation failure: order:0, mode:0x20", incident.NoPages, "sshd", "", ""},
		{"kernel: CIFS: VFS: \\\\nas has not responded in 180 seconds. Reconnecting...", incident.NFSDown, "\\\\nas", "", ""},
		{"ls: cannot access '/mnt/nfs': Stale file handle", incident.NFSStale, "", "", ""},
		{"[9.0] watchdog: BUG: soft lockup - CPU#24 stuck for 26s! [CPU 0/KVM:263413]", incident.GuestStall, "", "", "+9s"},
		{"[0.0] Hypervisor detected: KVM", incident.IsGuest, "", "", ""},
		{" 1a | 03/07/2021 | 07:10:10 | Memory #0x02 | Uncorrectable ECC | Asserted", incident.EDACFatal, "", "", ""},
		{"197 Current_Pending_Sector  0x0032   100   100   000    Old_age   Always       -       8", incident.SMARTPending, "", "", ""},
	} {
		log := readAll(t, c.line+"\n")
		if len(log.Events) != 1 {
			t.Errorf("%s: %d events", c.line, len(log.Events))
			continue
		}
		e := log.Events[0]
		when := ""
		switch {
		case !e.First.Wall.IsZero():
			when = e.First.Wall.Format("2006-01-02 15:04:05.999999999")
		case e.First.Up > 0:
			when = "+" + e.First.Up.String()
		}
		if e.Kind != c.kind || e.Device != c.device || e.Host != c.host || when != c.when {
			t.Errorf("%s:\n got %q %q %q %q\nwant %q %q %q %q", c.line, e.Kind, e.Device, e.Host, when, c.kind, c.device, c.host, c.when)
		}
	}
}

func TestHarmlessLinesAreNoEvents(t *testing.T) {
	for _, line := range []string{
		"[    1.2] ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)", "EXT4-fs (sda1): mounted filesystem with ordered data mode",
		"systemd[1]: Started Session 3 of user root.", "  MemoryPressure   False   KubeletHasSufficientMemory", "[    0.1] EDAC MC: Ver: 3.0.0",
		"NAME is what an operating system calls a disk", "System time     : 0.000112125 seconds slow of NTP time", "CESta:\tRxErr- BadTLP- BadDLLP- Rollover- Timeout-",
		"remote refid", "temp=54.0'C", "mc0: 0 Uncorrected Errors with no DIMM info", "mc0: csrow2: ch0: 0 Corrected Errors", "md0 : active raid1 sdb1[1] sda1[0]", "md127 : inactive sda[1](S) sdb[0](S)\n      5288 blocks super external:imsm", "rtc_cmos 00:03: setting system clock to 2009-11-03 06:58:21 UTC (1257231501)", "tail: inotify cannot be used, reverting to polling: No space left on device", "  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always   In_the_past 0", "Hardware name: Supermicro X11SSH-F/X11SSH-F, BIOS 2.2 05/23/2018", "199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always       -       0",
	} {
		if log := readAll(t, line); len(log.Events) > 0 {
			t.Errorf("%s: %+v", line, log.Events)
		}
	}
}

func TestEqualLinesAreOneEvent(t *testing.T) {
	var b strings.Builder
	start := time.Date(2026, 2, 22, 12, 0, 0, 0, time.UTC)
	for i := range 10_000 {
		fmt.Fprintf(&b, "%s pve4 kernel: I/O error, dev sdk, sector %d op 0x0:(READ)\n", start.Add(time.Duration(i)*10*time.Millisecond).Format("2006-01-02T15:04:05.000-0700"), i)
	}
	fmt.Fprintf(&b, "%s pve4 kernel: I/O error, dev sdk, sector 7 op 0x0:(READ)\n", start.Add(24*time.Hour).Format("2006-01-02T15:04:05-0700"))
	log := readAll(t, b.String())
	if len(log.Events) != 2 || log.Events[0].Count != 10_000 || log.Events[1].Count != 1 {
		t.Fatalf("%+v", log.Events)
	}
	e := log.Events[0]
	if !e.First.Wall.Equal(start) || e.Last.Wall.Sub(start) != 99_990*time.Millisecond || e.Source.Line != 1 || e.Until != 10_000 {
		t.Errorf("%+v", e)
	}
}

// What a disk is attached to, from each listing that shows it.
func TestWhatADiskHangsOn(t *testing.T) {
	for what, text := range map[string]string{
		"lsblk":    "NAME        TRAN   VENDOR   MODEL            TYPE MOUNTPOINTS\nsda         sata   ATA      Samsung SSD 870  disk \n├─sda1                                       part /boot\nsdk         iscsi  IET      VIRTUAL-DISK     disk /var/lib/kubelet/x\n",
		"lsblk -J": `{` + "\n" + `   "blockdevices": [` + "\n" + `{"name":"sda","tran":"sata","vendor":"ATA     ","model":"Samsung"},{"name":"sdk","tran":"iscsi","vendor":"IET     ","model":"VIRTUAL-DISK"}` + "\n]\n}\n",
		"lsscsi":   "[0:0:0:0]    disk    ATA      Samsung SSD 870  2B6Q  /dev/sda\n[9:0:0:1]    disk    IET      VIRTUAL-DISK     0001  /dev/sdk\n",
		"lsscsi -t": "[0:0:0:0]    disk    sata:5002538f4                  /dev/sda\n" +
			"[9:0:0:1]    disk    iqn.2019-10.io.longhorn:pvc-1,t,0x1  /dev/sdk\n",
		"by-path": "lrwxrwxrwx 1 root root 9 Feb 22 12:00 pci-0000:00:17.0-ata-1 -> ../../sda\nlrwxrwxrwx 1 root root 9 Feb 22 12:00 ip-10.42.0.5:3260-iscsi-iqn.2019-10.io.longhorn:pvc-1-lun-1 -> ../../sdk\n",
		"kernel log": "scsi host0: ahci\nsd 0:0:0:0: [sda] 500118192 512-byte logical blocks\nscsi host9: iSCSI Initiator over TCP/IP\n" +
			"scsi 9:0:0:1: Direct-Access     IET      VIRTUAL-DISK     0001 PQ: 0 ANSI: 5\nsd 9:0:0:1: [sdk] Attached SCSI disk\n",
	} {
		stack := readAll(t, text).Stack
		if got := stack.Find("", "sda1").Transport; got != incident.SATA {
			t.Errorf("%s: sda1 is on %q", what, got)
		}
		if got := stack.Find("", "sdk").Transport; got != incident.ISCSI {
			t.Errorf("%s: sdk is on %q", what, got)
		}
	}
}

func TestZpoolStatus(t *testing.T) {
	log := readAll(t, "  pool: tank\n state: DEGRADED\nconfig:\n\n\tNAME        STATE     READ WRITE CKSUM\n\ttank        DEGRADED     0     0     0\n\t  mirror-0  DEGRADED     0     0     0\n\t    sda     ONLINE       0     0    12\n\t    sdb     FAULTED     25  1.2K     0  too many errors\n\nerrors: No known data errors\n")
	got := map[string]float64{}
	for _, e := range log.Events {
		got[e.Device+" "+string(e.Kind)] = e.Value
	}
	for what, want := range map[string]float64{"sda " + string(incident.ZFSChecksum): 12, "sdb " + string(incident.ZFSIO): 1225, "sdb " + string(incident.ZFSFaulted): 0} {
		if v, there := got[what]; !there || v != want {
			t.Errorf("%s: %v, %v in %v", what, v, there, got)
		}
	}
	if len(got) != 3 {
		t.Errorf("%v", got)
	}
}

// df yields the full file systems of devices, but not images that are meant to be full.
func TestDf(t *testing.T) {
	log := readAll(t, "Filesystem     1K-blocks     Used Available Use% Mounted on\nudev             4000000        0   4000000   0% /dev\n/dev/sda1       50000000 50000000         0 100% /\n"+
		"/dev/loop3         56000    56000         0 100% /snap/core18\ntmpfs             800000   800000         0 100% /run\n/dev/sdb1       50000000  1000000  49000000   2% /srv\n")
	if len(log.Events) != 1 || log.Events[0].Kind != incident.FSFull || log.Events[0].Device != "sda1" {
		t.Errorf("%+v", log.Events)
	}
}

// Unreachable servers, and offsets of a few milliseconds, are not skew.
func TestNTPServers(t *testing.T) {
	const head = "     remote           refid      st t when poll reach   delay   offset  jitter\n==============================================================================\n"
	for rows, want := range map[string]int{
		"*LOCAL(0)        .LOCL.          10 l   59   64   17    0.000    0.000   0.001\n ntp1 192.5.41.209     2 u   56   64   17    0.335  3605497  26.136\n": 1,
		"*ntp1 192.5.41.209     2 u   56   64  377    0.335  -1.497  0.136\n":                                                                                   0,
		" ntp1 .INIT. 16 u   - 1024 0 0.000 -9000.000 4000.00\n":                                                                                                0,
	} {
		if log := readAll(t, head+rows); len(log.Events) != want {
			t.Errorf("%s: %+v", rows, log.Events)
		}
	}
}

func TestANewYearInALogWithoutYears(t *testing.T) {
	log := readAll(t, "Dec 31 23:59:59 a kernel: I/O error, dev sda, sector 1\nJan  1 00:00:01 a kernel: critical medium error, dev sda, sector 1\n")
	if d, ok := log.Events[1].First.Since(log.Events[0].First); !ok || d != 2*time.Second {
		t.Errorf("%v %v", d, ok)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("[Tue Oct 27 08:51:35 2020] critical medium error, dev sdk\nNAME TRAN\nsda sata\n{\n\"blockdevices\": [{\"name\":\"sda\"}]}\n")
	f.Add("\tNAME STATE READ WRITE CKSUM\n\ttank ONLINE 1 2 3K\nsmartctl -a /dev/sda\n197 Current_Pending_Sector 1 2 3 4 5 6 7 8\n")
	f.Add("remote refid st t when poll reach delay offset jitter\n a b 2 u 5 6 7 0.3 3605497 2.1\nSystem time : x seconds slow of NTP time\nDevice: /dev/nvme0, Critical Warning (0x\nFailed SMART usage Attribute: 190\n")
	f.Add("Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/sda1 5 5 0 100% /\ntemp='C\n : inactive sd\n")
	f.Add("md0 : active raid1 sda1[0]\n 1 blocks [2/1] [U_]\nmd/raid1:md0: active with 1 out of 2 mirrors\nread: 1 2 3 4 5 6.7 8\nCPU Temp | 98 | degrees C | cr\n| RPM | cr\n")
	f.Add("I/O error, dev sda, sector 976773168 op 0x0:(READ)\n\nI/O error, dev sda, sector 976773168\n20% packet loss\nrx_crc_errors: 1e9\n%Cpu(s): 35.0 st\nLocal time: Thu 1970-01-01\n0x04 0x008 4 12 Number of Interface CRC Errors\n")
	f.Add("scsi host9: iSCSI Initiator over TCP/IP\nsd 9:0:0:1: [sdk] x\nE0222 12:00:00.123456 1 a.go:1] DiskPressure")
	f.Fuzz(func(t *testing.T, text string) {
		r := read.New()
		if err := r.Read("log", "", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		log := r.Log()
		for _, e := range log.Events {
			if e.Kind == "" || e.Count < 1 || e.Source.Line < 1 || e.Source.Line > log.Lines || e.Until < e.Source.Line {
				t.Errorf("%+v of %d lines", e, log.Lines)
			}
		}
	})
}

// endless repeats part of a log.
type endless struct {
	piece []byte
	left  int64
	at    int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p, e.piece[e.at:])
	n = int(min(int64(n), e.left))
	e.at = (e.at + n) % len(e.piece)
	e.left -= int64(n)
	return n, nil
}

// A log of any length needs no more memory than a short one.
func TestMemoryDoesNotGrowWithALog(t *testing.T) {
	piece := strings.Repeat("2026-02-22T12:00:00+0000 pve4 kernel: I/O error, dev sda, sector 7 op 0x0:(READ)\n2026-02-22T12:00:00+0000 pve4 systemd[1]: Started.\n", 100)
	r := read.New()
	if err := read.New().Read("first", "", strings.NewReader(piece)); err != nil { // one-time setup is not the log's
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if err := r.Read("log", "", &endless{piece: []byte(piece), left: 32 << 20}); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 2<<20 {
		t.Errorf("32 MiB of a log left %d bytes", grown)
	}
	if log := r.Log(); len(log.Events) != 1 || log.Bytes != 32<<20 {
		t.Errorf("%d events, %d bytes", len(log.Events), log.Bytes)
	}
}

// BenchmarkRead reads a log in which one line in ten is an error.
func BenchmarkRead(b *testing.B) {
	var piece strings.Builder
	for i := range 1000 {
		if i%10 == 0 {
			fmt.Fprintf(&piece, "2026-02-22T12:00:%02d+0000 pve4 kernel: I/O error, dev sd%c, sector %d op 0x0:(READ) flags 0x80700 phys_seg 1\n", i%60, 'a'+i/10%20, i)
		} else {
			fmt.Fprintf(&piece, "2026-02-22T12:00:%02d+0000 pve4 kubelet[1234]: I0222 12:00:00.1 reconciler.go:22%d] operationExecutor.VerifyControllerAttachedVolume started for volume\n", i%60, i)
		}
	}
	const size = 64 << 20
	b.SetBytes(size)
	for b.Loop() {
		r := read.New()
		if err := r.Read("log", "", &endless{piece: []byte(piece.String()), left: size}); err != nil {
			b.Fatal(err)
		}
	}
}
