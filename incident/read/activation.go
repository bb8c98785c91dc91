package read

import "assay/incident"

// activationSignatures match LVM and device mapper messages about volumes left half set
// up, or not set up, although the disks below are there.
var activationSignatures = []signature{
	{has: "skip autoactivation", kind: incident.VGSkipped, device: nothing},
	{has: "autoactivation failed", kind: incident.VGSkipped, device: nothing},
	{has: "with queued messages", kind: incident.LVStuck, device: nothing, and: "ailed to suspend"},
	{has: "is not suspended", kind: incident.LVStuck, device: nothing, and: "Can't create snapshot"},
	{has: "Failed to update pool ", kind: incident.LVStuck, device: nothing},
	{has: "Failed to activate pool logical volume", kind: incident.LVStuck, device: nothing},
	{has: "Failed to activate thin pool", kind: incident.LVStuck, device: nothing},
	{has: "Failed to deactivate thin pool", kind: incident.LVStuck, device: nothing},
	{has: "Failed to suspend thin", kind: incident.LVStuck, device: nothing},
	{has: "Failed to resume ", kind: incident.LVStuck, device: nothing, or: []string{"thin", "pool", "logical volume"}},
	{has: "Failed to activate new LV", kind: incident.LVStuck, device: nothing},
	{has: "Failed to activate cache locally", kind: incident.LVStuck, device: nothing},
	{has: "_tmeta: open failed", kind: incident.LVStuck, device: nothing},
	{has: "_tdata: open failed", kind: incident.LVStuck, device: nothing},
	{has: "_cmeta: open failed", kind: incident.LVStuck, device: nothing},
	{has: "Aborting. Failed to ", kind: incident.LVStuck, device: nothing, and: "activate"},
	{has: "thin: Creation of new ", kind: incident.LVStuck, device: nothing, and: "failed"},
	{has: "thin: Deletion of thin device ", kind: incident.LVStuck, device: nothing, and: "failed"},
	{has: "device-mapper: message ioctl on ", kind: incident.LVStuck, device: nothing, and: "failed"},
	{has: "Number of segments in active LV", kind: incident.LVStuck, device: nothing, and: "does not match"},
	{has: "Internal error: Removing still active", kind: incident.LVStuck, device: nothing},
	{has: "Giving up waiting for lock", kind: incident.LVStuck, device: nothing},
	{has: "Can't get lock for ", kind: incident.LVStuck, device: nothing, not: []string{"apt", "dpkg"}},
	{has: "Failed to lock logical volume", kind: incident.LVStuck, device: nothing},
	{has: "lvmlockd", kind: incident.LVStuck, device: nothing, or: []string{"lock conflict", "lock failed", "is not running"}},
	{has: "Global lock failed", kind: incident.LVStuck, device: nothing},
	{has: "Recovery of volume group", kind: incident.LVMDamaged, device: nothing, and: "failed"},
	{has: "metadata too large for circular buffer", kind: incident.LVMDamaged, device: nothing},
	{has: "begins with invalid VG name", kind: incident.LVMDamaged, device: nothing},
	{has: "/start timed out", kind: incident.BootMount, device: nothing, and: ".device", not: []string{"tty", "tpm"}},
	{has: "start operation timed out", kind: incident.BootMount, device: nothing, and: ".device"},
}
