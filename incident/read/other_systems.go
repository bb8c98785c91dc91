package read

import "assay/incident"

// otherSignatures match disk messages of FreeBSD, illumos and ESXi.
var otherSignatures = []signature{
	// FreeBSD and its derivatives
	{has: "AHCI reset: device not ready", kind: incident.ATATimeout, device: before(": AHCI reset")},
	{has: "CAM status: ATA Status Error", kind: incident.ATADeviceFail, device: camDevice},
	{has: "CAM status: Selection Timeout", kind: incident.NoConnect, device: camDevice},
	{has: "CAM status: Device Not Present", kind: incident.NoConnect, device: camDevice},
	{has: "CAM status: Unconditionally Re-queue Request", kind: incident.CommandTimeout, device: camDevice},
	{has: "CAM status: CCB request aborted by the host", kind: incident.CommandTimeout, device: camDevice},
	{has: " loginfo ", kind: incident.HBAInfo, device: nothing, and: "terminated ioc"}, // mps, mpr
	{has: ": Reinitializing controller", kind: incident.HBAFault, device: nothing, or: []string{"mps", "mpr", "mrsas"}},
	{has: "UNRECOVERED READ ERROR (02/81)", kind: incident.NVMeMedia, device: before(": UNRECOVERED")},
	{has: "WRITE FAULTS (02/80)", kind: incident.NVMeMedia, device: before(": WRITE FAULTS")},
	{has: "INTERNAL DEVICE ERROR (00/06)", kind: incident.NVMeInternal, device: before(": INTERNAL")},
	{has: ": aborting outstanding i/o", kind: incident.NVMeTimeout, device: before(": aborting")},
	{has: "g_vfs_done():", kind: incident.IOError, and: "error = 5", device: nothing},
	{has: "g_vfs_done():", kind: incident.NoConnect, and: "error = 6", device: nothing},
	{has: "g_vfs_done():", kind: incident.NoSpace, and: "error = 28", device: nothing},
	{has: "GEOM_MIRROR: Device ", kind: incident.MDFailed, and: "disconnected", device: after("provider ")},
	{has: "GEOM_RAID", kind: incident.MDFailed, device: nothing, or: []string{"disconnected", "from ACTIVE to FAILED", "state changed from OPTIMAL to DEGRADED"}},
	{has: ": link state changed to DOWN", kind: incident.NICDown, device: before(": link state"), not: []string{"epair", "bridge", "tap", "tun", "vnet"}},
	{has: "indefinite wait buffer", kind: incident.WaitsForDisk, device: nothing},
	// illumos
	{has: "SCSI transport failed: reason '", kind: incident.CommandTimeout, device: nothing, or: []string{"timeout", "reset", "tran_err"}},
	{has: "disk not responding to selection", kind: incident.NoConnect, device: nothing},
	{has: "drive offline", kind: incident.DeviceOffline, device: nothing, and: "WARNING: /"},
	{has: "Sense Key: Hardware_Error", kind: incident.HardwareError, device: nothing},
	{has: "Sense Key: Hardware Error", kind: incident.HardwareError, device: nothing},
	// ESXi: the host status of a command
	{has: "failed H:0x1 ", kind: incident.NoConnect, device: nothing},
	{has: "failed H:0x3 ", kind: incident.CommandTimeout, device: nothing},
	{has: "failed H:0x5 ", kind: incident.CommandTimeout, device: nothing},
	{has: "failed H:0x8 ", kind: incident.CommandTimeout, device: nothing},
	{has: "has gone under permanent error", kind: incident.RAIDDrive, device: nothing}, // vSAN
	{has: "is under permanent error", kind: incident.RAIDDrive, device: nothing},
	{has: "as entered permanent device loss", kind: incident.NoConnect, device: nothing},
	{has: "esx.problem.storage.device.pdl", kind: incident.NoConnect, device: nothing},
	// switches
	{has: "%ILPOWER-", kind: incident.PowerLost, device: nothing, or: []string{"POWER_DENY", "PORT_ERR", "OVERLOAD", "verload"}},
	{has: "PoE", kind: incident.PowerLost, device: nothing, or: []string{"overload", "power denied", "short circuit", "short-circuit", "over budget"}},
	{has: "probably a loop", kind: incident.NetworkLoop, device: nothing}, // RouterOS
	{has: "%STORM_CONTROL-", kind: incident.NetworkLoop, device: nothing},
	{has: "%SFF8472-", kind: incident.NICModule, device: nothing, and: "THRESHOLD_VIOLATION"},
	// server management, about processors and memory
	{has: "CATERR", kind: incident.MCE, device: nothing, or: []string{"Asserted", "asserted", "CPU_CATERR"}},
	{has: "FRB", kind: incident.MCE, device: nothing, and: "Asserted", or: []string{"FRB1/BIST failure", "FRB2/Hang in POST failure", "FRB3/Processor startup"}},
	{has: " error detected", kind: incident.MCE, device: nothing, and: "CPU ", or: []string{"protocol error detected", "bus parity error detected", "initialization error detected", "machine check error detected"}}, // Dell's
	{has: "usable system memory", kind: incident.EDACFatal, device: nothing, and: "No "},
	{has: "VRM", kind: incident.Warm, device: nothing, and: "Asserted", or: []string{"VRM hot", "VRM HOT", "VRMHOT"}},
}
