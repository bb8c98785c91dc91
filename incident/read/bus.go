package read

import "assay/incident"

// busSignatures match failures of USB host controllers and PCI Express slots themselves,
// and adapters and drives that do not work.
var busSignatures = []signature{
	{has: "WARNING: Host System Error", kind: incident.USBHost, device: nothing},
	{has: "_hcd ", kind: incident.USBHost, device: nothing, or: []string{
		"Host halt failed", "Host not halted after", "Host not accessible, reset failed", "Host took too long to start", "Controller not ready at resume", "PCI post-resume error", "Unable to reset", "can't setup: -110",
		"fatal error", "host controller process error", "host controller halted, very bad", "Unrecoverable Error, disabled", "HC takeover failed",
	}},
	{has: "Timeout while waiting for setup device command", kind: incident.USBDescriptor, device: usbPort},
	{has: "port_status failed (err = -", kind: incident.USBDescriptor, device: usbPort},
	{has: ": cannot reset (err = -", kind: incident.USBDescriptor, device: usbPort},
	{has: ": cannot disable (err = -", kind: incident.USBDescriptor, device: usbPort},
	{has: "Data Link Layer Link Active not set", kind: incident.PCIeDown, device: pci},
	{has: "failed with error -", kind: incident.NVMeDead, and: "nvme", or: []string{": probe with driver nvme", "nvme: probe of"}, device: pci},
	{has: "NCQ disabled due to excessive errors", kind: incident.ATATimeout},
	{has: "uas: probe of ", kind: incident.USBDescriptor, device: usbPort, and: "failed with error -"},
	// storage adapters
	{has: "Controller in crit error", kind: incident.HBAFault, device: nothing},
	{has: "Init cmd return status FAILED", kind: incident.HBAFault, device: nothing},
	{has: "isci_host_start_complete failed", kind: incident.HBAFault, device: nothing},
	{has: "controller reset failed (0x", kind: incident.HBAFault, device: nothing, and: "ahci", not: []string{"(0xffffffff)"}},
	{has: ": resetting ", kind: incident.TaskAbort, device: nothing, and: "hpsa", or: []string{"Direct-Access"}},
	{has: "abort device command of scsi id", kind: incident.TaskAbort, device: nothing},
	{has: ") failed: Result:", kind: incident.NotReady, and: "Read Capacity("},
	// NVMe drives that answer but do not work
	{has: "Could not set queue count (", kind: incident.NVMeUnready, and: "nvme"},
	{has: "IO queues lost", kind: incident.NVMeUnready, and: "nvme"},
	{has: "IO queues not created", kind: incident.NVMeUnready, and: "nvme"},
	{has: "not capable of SMART self-check", kind: incident.SMARTUnread, device: afterDev},
	// ZFS, for requests that took seconds
	{has: "class=delay pool=", kind: incident.CommandTimeout, device: zioDevice},
	{has: "class=deadman pool=", kind: incident.CommandTimeout, device: zioDevice},
	{has: "ereport.fs.zfs.delay", kind: incident.CommandTimeout, device: nothing},
	{has: "ereport.fs.zfs.deadman", kind: incident.CommandTimeout, device: nothing},
}

// afterDev returns the drive in a smartd message: nvme0 in "Device: /dev/nvme0,
// …".
func afterDev(text string) string { return incident.ControllerOf(after("/dev/")(text)) }
