package read_test

import (
	"testing"

	"assay/incident"
)

// form is a line as printed by a driver, daemon or tool, and the event that it
// yields.
type form struct {
	line   string
	kind   incident.Kind
	device string
}

// reads checks that each line yields one event of its kind.
func reads(t *testing.T, forms []form) {
	t.Helper()
	for _, f := range forms {
		log := readAll(t, f.line+"\n")
		if len(log.Events) != 1 || log.Events[0].Kind != f.kind || log.Events[0].Device != f.device {
			t.Errorf("%s: %+v, want one %q of %q", f.line, log.Events, f.kind, f.device)
		}
	}
}

// silent checks that none of the lines yields an event.
func silent(t *testing.T, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if log := readAll(t, l+"\n"); len(log.Events) > 0 {
			t.Errorf("%s: %+v", l, log.Events)
		}
	}
}

func TestDriversOfNetworkCards(t *testing.T) {
	reads(t, []form{
		{"ixgbe 0000:01:00.1: Warning firmware error detected FWSM: 0x00000000", incident.NICError, "0000:01:00.1"},
		{"i40e 0000:3d:00.0: Firmware recovery mode detected. Limiting functionality.", incident.NICError, "0000:3d:00.0"},
		{"e1000e 0000:00:19.0: The NVM Checksum Is Not Valid", incident.NICError, "0000:00:19.0"},
		{"ice 0000:31:00.0: The DDP package file was not found or could not be read. Entering Safe Mode", incident.NICError, "0000:31:00.0"},
		{"ixgbe 0000:02:00.0 enp2s0: tx hang 1 detected on queue 3, resetting adapter", incident.NICHang, "enp2s0"},
		{"ixgbe 0000:02:00.0: Adapter removed", incident.PCIeDown, "0000:02:00.0"},
		{"tg3 0000:02:00.0: eth0: DMA Status error.  Resetting chip.", incident.NICError, "eth0"},
		{"tg3: eth0: The system may be re-ordering memory-mapped I/O cycles to the network device, attempting to recover.", incident.NICError, "eth0"},
		{"bnx2x: [bnx2x_hw_stats_update:818(eth1)]NIG timer max; MDC/MDIO access timeout", incident.NICError, "eth1"},
		{"bnxt_en 0000:3b:00.0 ens1f0np0: Firmware is unresponsive", incident.NICError, "ens1f0np0"},
		{"sky2 0000:02:00.0: eth0: hw error interrupt status 0x8", incident.NICError, "eth0"},
		{"mlx5_core 0000:c1:00.0: assert_var[0] 0x00000001", incident.NICError, "0000:c1:00.0"},
		{"mlx4_core 0000:04:00.0: Internal error detected:", incident.NICError, "0000:04:00.0"},
		{"r8169 0000:03:00.0 enp3s0: rtl_eriar_cond == 1 (loop: 100, delay: 100).", incident.NICHang, "enp3s0"},
		{"r8169 0000:03:00.0 eth0: PCI error (cmd = 0x0407, status = 0x2010)", incident.NICError, "eth0"},
		{"eth0: PCI Bus error 8290.", incident.NICError, "eth0"},
		{"eth1: mismatched read page pointers 4c vs 6f.", incident.NICError, "eth1"},
		{"eth1: timeout waiting for Tx RDC.", incident.NICError, "eth1"},
		{"eth1: bogus packet size: 65280, status=0x0 nxpg=0x0", incident.NICError, "eth1"},
		{"eth0: Host error, FIFO diagnostic register 2000.", incident.NICError, "eth0"},
		{"eth0: Something Wicked happened! 2008.", incident.NICError, "eth0"},
		{"eth0: too many iterations (6) in nv_nic_irq.", incident.NICError, "eth0"},
		{"macb e000b000.ethernet eth0: DMA bus error: HRESP not OK", incident.NICError, "eth0"},
		{"rk_gmac-dwmac fe1c0000.ethernet eth0: stmmac_hw_setup: DMA engine initialization failed", incident.NICError, "eth0"},
		{"mvneta d0070000.ethernet eth0: bad rx status 0c010000 (crc error), size=64", incident.NICError, "eth0"},
		{"smsc95xx 1-1.1:1.0 eth0: Failed to write reg index 0x00000114: -110", incident.NICError, "eth0"},
		{"ath10k_pci 0000:02:00.0: firmware crashed! (guid 5a2b0a3f-0000-0000-0000-000000000000)", incident.NICError, "0000:02:00.0"},
	})
	silent(t,
		"ixgbe 0000:01:00.1: Intel(R) 10 Gigabit Network Connection", "{1}[Hardware Error]: It has been corrected by h/w and requires no further action",
		"mlx5_core 0000:c1:00.0: firmware version: 16.35.2000", "iwlwifi 0000:03:00.0: loaded firmware version 77.2df8986f.0", "r8169 0000:03:00.0 eth0: RTL8168h/8111h, 00:11:22:33:44:55, XID 541, IRQ 129")
}

func TestTransceivers(t *testing.T) {
	reads(t, []form{
		{"ixgbe 0000:19:00.1: failed to load because an unsupported SFP+ or QSFP module type was detected.", incident.NICModule, "0000:19:00.1"},
		{"ixgbe <PCI id>: Reload the driver after installing a supported module.", incident.NICModule, ""},
		{"i40e 0000:01:00.0: Rx/Tx is disabled on this device because an unsupported SFP module type was detected.", incident.NICModule, "0000:01:00.0"},
		{"ice 0000:31:00.0: An unsupported module type was detected. Refer to the Intel(R) Ethernet Adapters and Devices User Guide", incident.NICModule, "0000:31:00.0"},
		{"bnxt_en 0000:3b:00.0 ens1f0: Unqualified SFP+ module detected, Module part number FTLX8571D3BCL", incident.NICModule, "ens1f0"},
		{"mlx5_core 0000:c1:00.0: Port module event[error]: module 0, Cable error, Bus stuck (I2C or data shorted)", incident.NICModule, "0000:c1:00.0"},
		{"mlx4_en: eth2: unsupported cable", incident.NICModule, "eth2"},
		{"cxgb4 0000:02:00.4 eth3: unsupported port module inserted", incident.NICModule, "eth3"},
		{"sfp sfp-1: module transmit fault indicated", incident.NICModule, ""},
		{"%ETHPORT-3-IF_UNSUPPORTED_TRANSCEIVER: Transceiver on interface Ethernet1/5 is not supported", incident.NICModule, ""},
		{"	Laser rx power low alarm                  : On", incident.NICModule, ""},
	})
	silent(t, "	Laser rx power low alarm                  : Off", "sfp sfp-1: module FS               SFP-10GSR-85     rev      sn G1 dc 200101", "mlx5_core 0000:c1:00.0: Port module event: module 0, Cable plugged")
}

func TestSuppliesAndUPSs(t *testing.T) {
	reads(t, []form{
		{"  1f | 03/14/2024 | 02:11:09 | Voltage VBAT | Lower Critical going low  | Asserted", incident.RTCLost, ""},
		{"  20 | 03/14/2024 | 02:11:09 | Battery #0x3a | Low | Asserted", incident.RTCLost, ""},
		{"   4 | 11/02/2023 | 17:40:12 | PS1 Status | Power Supply | Failure", incident.PowerLost, ""},
		{"   5 | 11/02/2023 | 17:40:12 | Power Supply #0xc9 | Presence detected | Deasserted", incident.PowerLost, ""},
		{"   6 | 11/02/2023 | 17:40:12 | Power Unit #0x01 | Power off/down | Asserted", incident.PowerLost, ""},
		{"   7 | 11/02/2023 | 17:40:12 | Voltage #0x30 | Upper Critical going high | Asserted", incident.PowerLost, ""},
		{"System Power Supply: Input Power Loss or Unplugged Power Cord, Verify Power Supply Input (Power Supply 2)", incident.PowerLost, ""},
		{"Power Supply 1 has lost input", incident.PowerLost, ""},
		{"100%  fault.chassis.power.failed", incident.PowerLost, ""},
		{"upsmon[812]: UPS apc@localhost battery needs to be replaced", incident.PowerLost, ""},
		{"upsd[811]: ups.status: OL RB", incident.PowerLost, ""},
		{"STATUS   : ONLINE REPLACEBATT", incident.PowerLost, ""},
		{"apcupsd[901]: Reached run time limit on batteries.", incident.PowerLost, ""},
		{"vdd-cpu regulator: under-voltage detected", incident.UnderVoltage, ""},
		{"systemd-journald[301]: File /var/log/journal/5a/system.journal corrupted or uncleanly shut down, renaming and replacing.", incident.SuddenStop, ""},
		{"NAS: recovering journal", incident.SuddenStop, ""},
		{"Unsafe Shutdowns:                   7,676", incident.SMARTUnsafe, ""},
		{"unsafe_shutdowns                        : 7676", incident.SMARTUnsafe, ""},
	})
	silent(t,
		"Unsafe Shutdowns:                   45", "ups.status: OL CHRG", "STATUS   : ONLINE", "LASTXFER : Low line voltage", "   4 | 11/02/2023 | 17:40:12 | PS1 Status | Power Supply | Presence detected", "VBAT             | 3.072      | Volts      | ok")
}

func TestCachesOfRAIDControllers(t *testing.T) {
	reads(t, []form{
		{"Cache Status: Permanently Disabled", incident.RAIDCache, ""},
		{"   Battery/Capacitor Status: Failed (Replace Batteries)", incident.RAIDCache, ""},
		{"megaraid_sas 0000:01:00.0: 2412 (575s/0x0008/CRIT) - BBU disabled; changing WB virtual disks to WT", incident.RAIDCache, ""},
		{"  Battery Replacement required            : Yes", incident.RAIDCache, ""},
		{"  Battery State: Failed", incident.RAIDCache, ""},
		{"CVPM02 Failed    28C  -    2018/03/04", incident.RAIDCache, ""},
		{"The PERC1 battery has failed.", incident.RAIDCache, ""},
		{"   Status                                   : ZMM not installed", incident.RAIDCache, ""},
		{"3w-9xxx: scsi0: AEN: ERROR (0x04:0x0051): Battery capacity test failed", incident.RAIDCache, ""},
	})
	silent(t, "Cache Status: OK", "Battery/Capacitor Status: OK", "  Battery Replacement required            : No", "  Battery State: Optimal", "CVPM02 Optimal   28C  -    2018/03/04")
}

func TestProcessorsAndMemory(t *testing.T) {
	reads(t, []form{
		{"APIC error on CPU1: 02(08)", incident.APICError, ""},
		{"The bug is not reproducible, so it is likely a hardware or OS problem.", incident.MemoryTest, ""},
		{"100%  fault.memory.dimm_ck", incident.EDACCorrected, ""},
		{"100%  fault.io.pciex.device-interr", incident.AERFatal, ""},
		{"cpu12:2098012)MCE: 1286: cpu12: MCA error detected via CMCI (Gbl status=0x0)", incident.MCELogged, ""},
		{"   2 | 01/02/2023 | 10:00:00 | Memory #0x02 | Memory Device Disabled | Asserted", incident.EDACFatal, ""},
		{"traps: node[4711] general protection fault ip:7f1a8ade55 sp:7ffd error:0 in libc.so.6[7f1a]", incident.Segfault, "node"},
		{"nm-dispatcher[531642] general protection fault ip:7d7f1a8ade55 sp:7ffc error:0 in libc.so.6", incident.Segfault, "nm-dispatcher"},
		{"pid 4711 (postgres), jid 0, uid 770: exited on signal 11 (core dumped)", incident.Segfault, "postgres"},
		{"c++: fatal error: Killed signal terminated program cc1plus", incident.AppNoMemory, ""},
		{"memory allocation of 8589934592 bytes failed", incident.AppNoMemory, ""},
	})
	two := readAll(t, "pveproxy worker[23030]: segfault at 11 ip 0000 sp 0000 error 6 in perl[55d0] likely on CPU 3 (core 4, socket 0)\n").Events
	if len(two) != 2 || two[0].Device != "CPU 3" || two[0].Kind != incident.CrashOnCPU || two[1].Kind != incident.Segfault {
		t.Errorf("%+v", two)
	}
	silent(t, "perf: interrupt took too long (2501 > 2500), lowering kernel.perf_event_max_sample_rate to 79000", "APIC error on CPU0: 00(00)", "smpboot: Booting Node 0 Processor 2 APIC 0x2")
}

func TestDrivesThatTellNoName(t *testing.T) {
	reads(t, []form{
		{"/dev/nvme1n1 XXXXXXXXXXXXXX SAMSUNG MZVPV128HDGM-00000 1 128.04 GB / 128.04 GB 512 B + 0 B ERRORMOD", incident.DriveMode, "nvme1"},
		{"ata3.00: ATA-11: SATAFIRM   S11, SBFM61.2, max UDMA/133", incident.DriveMode, "ata3"},
		{"nvme nvme1: globally duplicate IDs for nsid 1", incident.DriveIDs, "nvme1"},
		{"available_spare : 3%\navailable_spare_threshold : 10%", incident.SMARTWarning, ""},
		{"Available Spare:                    3%\nAvailable Spare Threshold:          10%", incident.SMARTWarning, ""},
	})
	silent(t, "available_spare : 100%\navailable_spare_threshold : 10%", "Available Spare: 10%\nAvailable Spare Threshold: 10%", "Available Spare: x\nAvailable Spare Threshold: 10%", "available_spare_threshold : 10%")
}

func TestBtrfsCounters(t *testing.T) {
	reads(t, []form{
		{"[/dev/sdd1].corruption_errs 312", incident.FSChecksum, "sdd1"},
		{"[/dev/sdd1].write_io_errs   7", incident.FSDevErrs, "sdd1"},
		{"BTRFS error (device sdb1): fixed up error at logical 123 on dev /dev/sdc1", incident.FSRepaired, ""},
		{"Filesystem state:         not clean with errors", incident.FSCheck, ""},
	})
	scrub := readAll(t, "Error summary:    csum=312\n  Corrected:      312\n  Uncorrectable:  0\n").Events
	if len(scrub) != 2 || scrub[0].Kind != incident.FSChecksum || scrub[1].Kind != incident.FSRepaired || scrub[1].Value != 312 {
		t.Errorf("%+v", scrub)
	}
	silent(t, "[/dev/sdd1].corruption_errs 0", "[/dev/sdd1].generation_errs  0", "Error summary:    no errors found\nCorrected:      0", "Corrected: 5", "].corruption_errs 4", "[/dev/sdd1].corruption_errs", "Filesystem state:         clean")
}

func TestVolumesLeftHalfSetUp(t *testing.T) {
	reads(t, []form{
		{"  pvscan[2130] VG vgdata skip autoactivation.", incident.VGSkipped, ""},
		{"  Failed to suspend qubes_dom0/pool00 with queued messages.", incident.LVStuck, ""},
		{"  /dev/mapper/lpol-thin_vg_tmeta: open failed: No such file or directory", incident.LVStuck, ""},
		{"device-mapper: thin: Creation of new snapshot 12 of device 3 failed.", incident.LVStuck, ""},
		{"device-mapper: message ioctl on  (253:4) failed: File exists", incident.LVStuck, ""},
		{`dev-disk-by\x2duuid-5773b7da.device: Job dev-disk-by\x2duuid-5773b7da.device/start timed out.`, incident.BootMount, ""},
	})
}

func TestHostControllers(t *testing.T) {
	reads(t, []form{
		{"xhci_hcd 0000:06:00.0: WARNING: Host System Error", incident.USBHost, ""},
		{"ehci_hcd 0000:00:1d.7: fatal error", incident.USBHost, ""},
		{"uhci_hcd 0000:00:1d.0: host controller halted, very bad!", incident.USBHost, ""},
		{"pcieport 0000:00:1b.4: Data Link Layer Link Active not set in 1000 msec", incident.PCIeDown, "0000:00:1b.4"},
		{"nvme: probe of 0000:01:00.0 failed with error -12", incident.NVMeDead, "0000:01:00.0"},
		{"Device: /dev/sda [SAT], Temperature 61 Celsius reached limit of 60 Celsius (Min/Max 20/61)", incident.Warm, "sda"},
	})
}

func TestOtherSystemsAndSwitches(t *testing.T) {
	reads(t, []form{
		{"ahcich3: AHCI reset: device not ready after 31000ms (tfd = 00000080)", incident.ATATimeout, "ahcich3"},
		{"(da3:mps0:0:11:0): CAM status: Selection Timeout", incident.NoConnect, "da3"},
		{"(da3:mps0:0:11:0): WRITE(10). CDB: 2a 00 length 8192 SMID 12 terminated ioc 804b loginfo 31110630 scsi 0 state c xfer 0", incident.HBAInfo, ""},
		{"mps0: Reinitializing controller", incident.HBAFault, ""},
		{"nvme0: UNRECOVERED READ ERROR (02/81) crd:0 m:0 dnr:1 sqid:4 cid:127 cdw0:0", incident.NVMeMedia, "nvme0"},
		{"nvme0: aborting outstanding i/o", incident.NVMeTimeout, "nvme0"},
		{"g_vfs_done():ada0p2[READ(offset=4096, length=32768)]error = 5", incident.IOError, ""},
		{"GEOM_MIRROR: Device gm0: provider ada1 disconnected.", incident.MDFailed, "ada1"},
		{"SCSI transport failed: reason 'timeout': retrying command", incident.CommandTimeout, ""},
		{`ScsiDeviceIO: 3047: Cmd(0x45) 0x2a, CmdSN 0x1 from world 0 to dev "naa.5" failed H:0x5 D:0x0 P:0x0`, incident.CommandTimeout, ""},
		{"%ILPOWER-5-POWER_DENY: Interface Gi1/0/7: inline power denied", incident.PowerLost, ""},
		{"ether5: excessive broadcasts/multicasts, probably a loop", incident.NetworkLoop, ""},
		{"%SFF8472-5-THRESHOLD_VIOLATION: Te1/1/1: Rx power low alarm; Operating value: -40.0 dBm", incident.NICModule, ""},
		{"   9 | 04/05/2023 | 08:00:00 | Processor CPU_CATERR | State Asserted", incident.MCE, ""},
		{"CPU0001: CPU 1 protocol error detected.", incident.MCE, ""},
	})
}

func TestWhatDoesNotWork(t *testing.T) {
	reads(t, []form{
		{"megaraid_sas 0000:02:00.0: Controller in crit error", incident.HBAFault, ""},
		{"ahci 0000:00:1f.2: controller reset failed (0x80000001)", incident.HBAFault, ""},
		{"hpsa 0000:08:00.0: scsi 0:0:0:0: resetting Direct-Access     ATA      SSD", incident.TaskAbort, ""},
		{"sd 4:0:0:0: [sdd] Read Capacity(16) failed: Result: hostbyte=DID_OK driverbyte=DRIVER_SENSE", incident.NotReady, "sdd"},
		{"nvme nvme0: Could not set queue count (6)", incident.NVMeUnready, "nvme0"},
		{"Device: /dev/sda [SAT], not capable of SMART self-check", incident.SMARTUnread, "sda"},
		{"zed[1]: eid=12 class=delay pool='tank' vdev=sda1 size=1024", incident.CommandTimeout, "sda"},
		{"be2net 0000:04:00.0: UE: HIGH: TXP3 bit set", incident.NICError, "0000:04:00.0"},
		{"UPS ups@localhost is unavailable", incident.UPSSilent, ""},
		{"+12V:        +10.8 V  (min = +11.4 V, max = +12.6 V)  ALARM", incident.PowerLost, ""},
		{"EDAC sbridge MC0: HANDLING MCE MEMORY ERROR", incident.EDACCorrected, ""},
		{"hwclock: ioctl(RTC_RD_TIME) to /dev/rtc0 to read the time failed: Input/output error", incident.RTCLost, ""},
		{"EXT4-fs (sda1): failed to convert unwritten extents to written extents -- potential data loss!  (inode 12, error -30)", incident.FSError, "sda1"},
		{"device-mapper: integrity: dm-1: Checksum failed at sector 0x1234", incident.FSChecksum, "dm-1"},
		{"bcache: bch_cache_set_error() error on x: journal io error, disabling caching", incident.PoolDamaged, ""},
		{"WARNING: Device /dev/sdb has size of 100 sectors which is smaller than corresponding PV size of 200 sectors. Was device resized?", incident.DeviceShort, "sdb"},
		{"slurmstepd: error: Detected 1 oom-kill event(s) in step 1.batch cgroup.", incident.OOMCgroup, ""},
	})
	silent(t, "in3:         +2.90 V  (min =  +2.98 V, max =  +3.63 V)  ALARM", "+12V:        +12.1 V  (min = +11.4 V, max = +12.6 V)", "Communications with UPS ups@localhost established")
}
