package read

import (
	"slices"

	"assay/incident"
)

// refusedGuest returns signatures for hypervisors rejecting a guest's
// configuration.
func refusedGuest() []signature {
	return slices.Concat(
		said(incident.Refused,
			"unsupported configuration: ", "Cannot access storage file", "Cannot access backing file", "unsupported machine type", "machine type does not exist", "Host doesn't support requested features", "is incompatible with host CPU", "guest CPU doesn't match specification", "guest and host CPU are not compatible", "missing features: ",
			"network 'default' is not active", "Failed to get shared \"write\" lock", "Image is not in qcow2 format", "unable to find any master var store", "is in use by another guest", "is in use by driver ", "Please ensure all devices within the iommu_group are bound", "failed to setup container for group", "no pci device info for device",
			"invalid PVE ticket", "this host already contains virtual guests", "corosync.conf' already exists", "authkey' already exists", "unsupported debian version", "unsupported Ubuntu version", "unsupported fedora release", "unable to parse value of", "is already used by another VM", "VT-x is not available", "VT-x is disabled", "VERR_VMX_NO_VMX",
			"VERR_SVM_DISABLED", "VERR_VMX_MSR", "Virtualized Intel VT-x/EPT is not supported", "Module 'Disk' power on failed", "Insufficient resources to satisfy configured failover level", "has been modified since the child was created", "is not compatible with this version of", "The operation is not supported on the object",
			"hardware version is not supported", "unable to create VM", "config file already exists", "VM_REQUIRES_SR", "VDI_IN_USE", "SR_HAS_NO_PBDS", "HOST_NOT_ENOUGH_FREE_MEMORY", " INVALID_DEVICE", "Wsl/Service/CreateInstance/CreateVm/HCS/HCS_E_SERVICE_NOT_AVAILABLE", "virtual machine platform", "Failed to lock the file",
		),
		[]signature{
			{has: "is not viable", kind: incident.Refused, device: nothing, and: "group "}, // of an IOMMU
		},
	)
}

// hypervisorSignatures returns signatures for guests that hypervisors can't start or
// serve, and for what only virtual devices do.
func hypervisorSignatures() []signature {
	return slices.Concat(
		said(incident.HypervisorError,
			// QEMU, libvirt, Proxmox VE, KubeVirt
			"monitor socket did not show up", "unable to connect to monitor", "shutting down, reason=crashed", "shutting down, reason=failed", "QEMU exited with code", "virtio: bogus descriptor", "Virtqueue size exceeded", "virtio-blk missing headers", "qemu: hardware error", "Marking image as corrupt",
			"Image is corrupt; cannot be opened", "Preventing invalid write on ", "block job (copy) error", "block job (mirror) error", "mirroring error", "storage migration failed", "migration status error: failed", "SyncVMI failed", "guest has crashed", "internal error: guest failed to start",
			"qmp command 'backup' failed", "rror while creating the vhost",
			// VMware
			"VMX has left the building", "VMware ESX unrecoverable error", "MONITOR PANIC", "@BlueScreen", "A fault has caused a virtual CPU", "hostd detected to be non-responsive", "needs consolidation",
			// Hyper-V
			"failed to start worker process", "failed to start. (Virtual machine ID", "ran out of disk space for its",
			// Xen
			"libxl: error: ", "(XEN) domain_crash", "crashed on cpu#", "(XEN) Watchdog timer", "SR_BACKEND_FAILURE_", "tapdisk experienced an error", "HANDLE_INVALID", "VM_BAD_POWER_STATE", "xenbus_dev_error", "Backend has not unmapped grant",
			// VirtualBox, WSL, clouds
			"VBoxManage: error: ", "Wsl/Service/", "compute.instances.hostError", "ystem reachability check failed", "Host maintenance event",
		),
		said(incident.VirtualNoise,
			"failed to get sgio uid", "failed to get sysfs uid", "failed to get udev uid", "dev fd0", "device fd0", "floppy: error ",
		),
		said(incident.NICNoSpeed, "/speed: Invalid argument", "failed to get link speed/duplex", "failed to get speed and duplex", "o speed and duplex from"),
		[]signature{
			{has: "process exited while connecting to monitor", kind: incident.HypervisorError, device: nothing, not: []string{"annot allocate memory", "No space left", "nput/output error"}},
			{has: "PCPU", kind: incident.HypervisorError, device: nothing, and: "no heartbeat"},
			{has: "esx.problem.net.", kind: incident.NICDown, device: nothing, or: []string{"connectivity.lost", "redundancy.lost", "linkstate.down", "redundancy.degraded"}},
			{has: "esx.problem.storage.", kind: incident.PathsLost, device: nothing, or: []string{"connectivity.lost"}},
			{has: "esx.problem.storage.", kind: incident.PathFailed, device: nothing, or: []string{"redundancy.lost", "redundancy.degraded"}},
			{has: "esx.problem.vm", kind: incident.HypervisorError, device: nothing, not: []string{"vmfs", "vmnic", "vmsyslog"}},
			{has: "nmp_ThrottleLogForDevice", kind: incident.MediumError, device: nothing, and: "sense data: 0x3 "},
			{has: "nmp_ThrottleLogForDevice", kind: incident.HardwareError, device: nothing, and: "sense data: 0x4 "},
			{has: "nmp_ThrottleLogForDevice", kind: incident.NoConnect, device: nothing, and: "H:0x1 "},
			{has: "VSCSI: ", kind: incident.HypervisorError, device: nothing, or: []string{"Reset", "reset", "bort"}},
			{has: "Cannot open the disk '", kind: incident.HypervisorError, device: nothing, and: "snapshot disks"},
			{has: "Hyper-V-", kind: incident.HypervisorError, device: nothing, or: []string{"failed", "could not", "Failed", "error"}},
			{has: "VERR_", kind: incident.HypervisorError, device: nothing, or: []string{"Result Code", "Failed to open", "VBoxManage"}},
			{has: "WSL (", kind: incident.HypervisorError, device: nothing, and: "ERROR"},
			{has: "AHCI#0P", kind: incident.HypervisorError, device: nothing, or: []string{"Canceled read", "Canceled write"}}, // VirtualBox
		},
	)
}
