package read

import "assay/incident"

var guestSignatures = []signature{
	{has: "BLOCK_IO_ERROR", kind: incident.HostPaused, device: nothing},
	{has: "aused (io-error)", kind: incident.HostPaused, device: nothing},
	{has: "aused (ioerror)", kind: incident.HostPaused, device: nothing},
	{has: "aused (I/O error)", kind: incident.HostPaused, device: nothing},
	{has: "Paused(3):IOError(5)", kind: incident.HostPaused, device: nothing}, // KubeVirt
	{has: "aused due to IO error", kind: incident.HostPaused, device: nothing},
	{has: "has been paused due to", kind: incident.HostPaused, device: nothing, or: []string{"torage"}}, // oVirt
	{has: "There is no more space for virtual disk", kind: incident.HostPaused, device: nothing},        // VMware
	{has: "status: io-error", kind: incident.HostPaused, device: nothing},
	{has: "cache encountered an error while updating data in medium", kind: incident.HostPaused, device: nothing},    // VirtualBox
	{has: "block I/O error in device '", kind: incident.HostPaused, device: nothing, not: []string{"No space left"}}, // QEMU
	{has: "error: kvm run failed", kind: incident.HostPaused, device: nothing},
	{has: "entry failed, hardware error 0x", kind: incident.HostPaused, device: nothing, and: "KVM"},
	{has: "qemu unexpectedly closed the monitor", kind: incident.HostPaused, device: nothing},
	{has: "qmp command '", kind: incident.HostPaused, device: nothing, or: []string{"got timeout", "unable to connect to VM"}, not: []string{"'guest-"}}, // Proxmox VE; guests without the agent never answer guest-…
	{has: "qmp socket - timeout after", kind: incident.HostPaused, device: nothing},
	{has: "annot acquire state change lock", kind: incident.HostPaused, device: nothing}, // libvirt
	{has: "hardware error on vcpu", kind: incident.HostPaused, device: nothing},
	{has: "KVM internal error. Suberror", kind: incident.HostPaused, device: nothing},
	{has: "hv_storvsc ", kind: incident.GuestDisk, device: nothing, or: []string{"scsi status 0x", "srb status 0x", "status: scsi 0x"}},
	{has: "xen_blkfront", kind: incident.GuestDisk, device: nothing, or: []string{"error", "failed"}},
	{has: "virtio_blk", kind: incident.GuestDisk, device: nothing, or: []string{"request timed out", "timeout"}},
	{has: "vmw_pvscsi: ", kind: incident.GuestDisk, device: nothing, or: []string{"bort", "reset"}, not: []string{"using", "driver"}},
	{has: "virtqueue_add: Unable to map", kind: incident.GuestDisk, device: nothing},
	{has: "is not a head!", kind: incident.GuestDisk, and: "virtio", device: nothing},
	{has: "Hypervisor detected: ", kind: incident.IsGuest, device: nothing},
	{has: "steal time: ", kind: incident.IsGuest, device: nothing},
	{has: "virtio_blk virtio", kind: incident.IsGuest, device: nothing, and: "logical blocks"},
	{has: "EXT4-fs (vd", kind: incident.IsGuest, device: nothing, and: ": mounted filesystem"},
	{has: "XFS (vd", kind: incident.IsGuest, device: nothing, or: []string{": Mounting V", ": Ending clean mount"}},
	{has: "QEMU HARDDISK", kind: incident.IsGuest, device: nothing},
	{has: "VBOX HARDDISK", kind: incident.IsGuest, device: nothing},
	{has: "Msft     Virtual Disk", kind: incident.IsGuest, device: nothing},
	{has: "VMware   Virtual disk", kind: incident.IsGuest, device: nothing},
	{has: "VMware, VMware Virtual", kind: incident.IsGuest, device: nothing},
	{has: "Virtualization: ", kind: incident.IsGuest, device: nothing, or: []string{" kvm", " qemu", " vmware", " microsoft", " xen", " oracle", " amazon"}}, // hostnamectl
	{has: "Hypervisor vendor: ", kind: incident.IsGuest, device: nothing},                                                                                    // lscpu
	{has: "NVIDIA Corporation Virtual", kind: incident.IsGuest, device: nothing},
	{has: "pv_queued_spin_lock_slowpath", kind: incident.IsGuest, device: nothing, not: []string{"native_queued"}}, // from stack traces, as are the next ones
	{has: " kvm_wait+0x", kind: incident.IsGuest, device: nothing},
	{has: "clocksource kvm-clock", kind: incident.IsGuest, device: nothing},
	{has: "hyperv_clocksource", kind: incident.IsGuest, device: nothing},
	{has: "clocksource xen", kind: incident.IsGuest, device: nothing},
	{has: "kvm_clock_get_cycles", kind: incident.IsGuest, device: nothing},
	{has: "pvclock_clocksource_read", kind: incident.IsGuest, device: nothing},
	{has: "xen_hypercall_", kind: incident.IsGuest, device: nothing},
	{has: "virtqueue_", kind: incident.IsGuest, device: nothing, and: "+0x"},
	{has: "virtblk_", kind: incident.IsGuest, device: nothing, and: "+0x"},
	{has: "virtnet_", kind: incident.IsGuest, device: nothing, and: "+0x"},
	{has: "vmxnet3_", kind: incident.IsGuest, device: nothing, and: "+0x"},
	{has: "pvscsi_", kind: incident.IsGuest, device: nothing, and: "+0x"},
	{has: "storvsc_", kind: incident.IsGuest, device: nothing, and: "+0x"},
	{has: "netvsc_", kind: incident.IsGuest, device: nothing, and: "+0x"},
	{has: "CPU: ", kind: incident.IsGuest, device: nothing, and: "PID: ", or: guestKernels},
	{has: "Linux version ", kind: incident.IsGuest, device: nothing, or: guestKernels},
	{has: "Detected virtualization ", kind: incident.IsGuest, device: nothing, or: []string{" kvm", " qemu", " vmware", " microsoft", " xen", " oracle", " amazon", " parallels", " bhyve", " google"}},
	{has: "Booting paravirtualized kernel on ", kind: incident.IsGuest, device: nothing, or: []string{"KVM", "Xen", "Hyper-V", "VMware"}},
	{has: "kvm-clock: ", kind: incident.IsGuest, device: nothing},
	{has: "kvm-guest: ", kind: incident.IsGuest, device: nothing},
	{has: "hv_vmbus: ", kind: incident.IsGuest, device: nothing},
	{has: "Modules linked in:", kind: incident.IsGuest, device: nothing, or: []string{" virtio_balloon", " vmw_balloon", " virtio_net", " virtio_blk", " virtio_scsi", " virtio_console", " qxl", " bochs", " vmwgfx", " vmxnet3", " hv_utils", " hyperv_fb", " hyperv_keyboard", " vboxvideo", " vmw_pvscsi", " hv_netvsc", " hv_storvsc", " hv_balloon", " xen_netfront", " xen_blkfront", " vboxguest"}},
	{has: "Hardware name: ", kind: incident.IsGuest, device: nothing, or: guestMachines},
	{has: "DMI: ", kind: incident.IsGuest, device: nothing, or: guestMachines},
	{has: "uru meditation", kind: incident.HostPaused, device: nothing},
	{has: "Guru Meditation", kind: incident.HostPaused, device: nothing},
	{has: "rror while loading state for instance", kind: incident.HostPaused, device: nothing}, // a guest being migrated
	{has: "rror while loading state section", kind: incident.HostPaused, device: nothing},
	{has: "load of migration failed", kind: incident.HostPaused, device: nothing},
	{has: "online migrate failure", kind: incident.HostPaused, device: nothing, not: []string{"interrupted", "cancel"}},
	{has: "The VDI is not available", kind: incident.HostPaused, device: nothing}, // XCP-ng
	{has: "SR_BACKEND_FAILURE_46", kind: incident.HostPaused, device: nothing},
	{has: "KVM_RUN failed", kind: incident.HostPaused, device: nothing},
	{has: "KVM: unknown exit, hardware reason", kind: incident.HostPaused, device: nothing},
	{has: "Guest Rx stalled", kind: incident.HostPaused, device: nothing},                        // Xen
	{has: "vioscsi", kind: incident.GuestDisk, device: nothing, or: []string{"Reset to device"}}, // Windows
	{has: "viostor", kind: incident.GuestDisk, device: nothing, or: []string{"Reset to device"}},
	{has: "Guest moved used index from", kind: incident.HostPaused, device: nothing}, // QEMU
	{has: "Virtio SCSI HBA", kind: incident.IsGuest, device: nothing},
	{has: "virtio-pci 0000:", kind: incident.IsGuest, device: nothing},
	{has: " vda: vda1", kind: incident.IsGuest, device: nothing},
	{has: "VMware PVSCSI driver", kind: incident.IsGuest, device: nothing},
	{has: "Hyper-V: Host Build", kind: incident.IsGuest, device: nothing},
	{has: "running on an unsupported hypervisor", kind: incident.IsGuest, device: nothing},
	{has: "Manufacturer: QEMU", kind: incident.IsGuest, device: nothing}, // dmidecode
	{has: ": Assertion `", kind: incident.HostPaused, device: nothing, or: []string{"kvm: ", "qemu", "QEMU"}},
}

// guestKernels are parts of the names of kernels that are built for guests.
var guestKernels = []string{"-cloud-amd64", "-cloud-arm64", "-aws ", "-azure ", "-gcp ", "-gke ", "-linode", "-kvm "}

// guestMachines are what hypervisors call the machines that they make.
var guestMachines = []string{
	"QEMU", "VMware", "Microsoft Corporation Virtual Machine", "innotek GmbH", "Xen HVM", "Google Compute Engine", "Amazon EC2",
	"OpenStack", "KVM", "Bochs", "Parallels", "DigitalOcean Droplet", "Hetzner vServer", "Alibaba Cloud ECS", "BHYVE", "oVirt", "Nutanix AHV", "Cloud Hypervisor",
	"Apple Virtualization", "Firecracker", "crosvm", "Scaleway SCW", "Linode Compute", "Vultr ", "UpCloud", "OpenNebula", "RHEV Hypervisor",
}
