package read

import "assay/incident"

// oldSignatures match messages of kernels up to Linux 2.6 and their drivers: about IDE
// disks (hda), early libata, parallel SCSI and memory.
var oldSignatures = []signature{
	{has: ": lost interrupt", kind: incident.ATATimeout, or: []string{"hda", "hdb", "hdc", "hdd", "hde", "hdf", "hdg", "hdh"}},
	{has: ": irq timeout: status=", kind: incident.ATATimeout},
	{has: ": status timeout: status=", kind: incident.ATATimeout},
	{has: ": dma_timer_expiry: dma status ==", kind: incident.ATATimeout},
	{has: ": timeout waiting for DMA", kind: incident.ATATimeout},
	{has: ": DMA timeout error", kind: incident.ATATimeout},
	{has: ": no response (status = ", kind: incident.ATATimeout},
	{has: "SectorIdNotFound }", kind: incident.ATADeviceFail},
	{has: "TrackZeroNotFound }", kind: incident.ATAMedia},
	{has: "translated ATA stat/err 0x51/84", kind: incident.ATACRC},
	{has: "translated ATA stat/err 0x51/40", kind: incident.ATAMedia},
	{has: " timeout, stat 0x", kind: incident.ATATimeout, and: ": command 0x"},
	{has: "EH pending after ", kind: incident.ATADead, and: "giving up"},
	{has: "evice offlined - not ready after error recovery", kind: incident.DeviceOffline},
	{has: "phase parity error", kind: incident.ParityError, device: nothing, or: []string{"Data-", "data-"}},
	{has: "parity error detected in Data", kind: incident.ParityError, device: nothing}, // aic7xxx
	{has: "SCSI parity error detected", kind: incident.ParityError, device: nothing},    // sym53c8xx
	{has: "Attempting to queue an ABORT message", kind: incident.TaskAbort, device: nothing},
	{has: "LogInfo(0x", kind: incident.HBAInfo, device: nothing, and: "mptbase"},
	{has: "IOC is in FAULT state", kind: incident.HBAFault, device: nothing},
	{has: "SMART threshold exceeded", kind: incident.RAIDDrive, device: nothing, and: "3w-"},
	{has: "resetting logical", kind: incident.TaskAbort, device: nothing, and: "hpsa"},
	{has: "resetting scsi ", kind: incident.TaskAbort, device: nothing, and: "smartpqi"},
	{has: "Out of Memory: Killed process", kind: incident.OOM, device: after("(")},
	{has: "-order allocation failed (gfp=0x", kind: incident.NoPages, device: nothing},
	{has: "vmap allocation for size ", kind: incident.NoPages, device: nothing, and: "failed"},
	{has: "vmalloc: allocation failure", kind: incident.NoPages, device: nothing},
	{has: "vmalloc error: size ", kind: incident.NoPages, device: nothing, and: "failed to allocate"},
	{has: "ip_conntrack: table full", kind: incident.ConntrackMax, device: nothing},
	{has: "SLUB: Unable to allocate memory", kind: incident.NoPages, device: nothing},
	{has: "You probably have a hardware problem with your RAM chips", kind: incident.EDACFatal, device: nothing},
	{has: "Run through mcelog --ascii", kind: incident.MCE, device: nothing},
	{has: "Kernel panic - not syncing: ", kind: incident.MCE, device: nothing, or: []string{"achine check", "Fatal hardware error!"}},
	{has: "EXT2-fs error", kind: incident.FSError},
	{has: "EXT2-fs", kind: incident.FSCheck, or: []string{"mounting unchecked fs", "mounting fs with errors"}},
	{has: "ext3_abort called", kind: incident.FSAbort},
	{has: "journal commit I/O error", kind: incident.FSAbort},
	{has: "xfs_force_shutdown(", kind: incident.FSAbort},
	{has: "ReiserFS: ", kind: incident.FSCorrupt, or: []string{"vs-5150", "vs-4080", "vs-13060", "vs-500", "is_tree_node"}},
	{has: "io error in reiserfs_", kind: incident.FSError, device: nothing},
	{has: "VFS: Can't find ", kind: incident.FSNoSuper, or: []string{"ext2", "ext3", "valid FAT"}},
	{has: "time source seems to be instable", kind: incident.ClockUnstable, device: nothing},
	{has: "warning: many lost ticks", kind: incident.ClockUnstable, device: nothing},
	{has: "FailSpare event had been detected", kind: incident.MDFailed, device: after("md device /dev/")},
	{has: "SpareMissing event had been detected", kind: incident.MDDegraded},
	{has: "DeviceDisappeared event had been detected", kind: incident.MDInactive},
	{has: "Couldn't find all physical volumes for volume group", kind: incident.PVMissing, device: nothing},
	{has: " while PVs are missing", kind: incident.PVMissing, device: nothing},
	{has: "physical volumes missing", kind: incident.PVMissing, device: nothing, and: "There are ", not: []string{"There are 0 "}},
	{has: "cannot import '", kind: incident.ZFSDamaged, device: nothing, and: ": I/O error"},
	{has: "Got tx_timeout", kind: incident.NICHang, device: port},                                                                   // forcedeth
	{has: "ransmit timed out, status", kind: incident.NICHang, device: port},                                                        // via-rhine, 8139too
	{has: "Transmit timeout, status", kind: incident.NICHang, device: port},                                                         // 8139too
	{has: "receiver hang detected", kind: incident.NICHang, device: port},                                                           // sky2
	{has: "fw sync timeout", kind: incident.NICHang, device: port},                                                                  // bnx2
	{has: "Malicious Driver Detection event", kind: incident.NICHang, device: nothing, or: []string{"i40e", "ice ", "TX", "ixgbe"}}, // Intel
}
