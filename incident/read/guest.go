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
	{has: "KVM internal error. Suberror", kind: incident.HostPaused, device: nothing},
	{has: "is not a head!", kind: incident.GuestDisk, and: "virtio", device: nothing},
	{has: "Hypervisor detected: ", kind: incident.IsGuest, device: nothing},
	{has: "Detected virtualization ", kind: incident.IsGuest, device: nothing, or: []string{" kvm", " qemu", " vmware", " microsoft", " xen", " oracle", " amazon", " parallels", " bhyve", " google"}},
	{has: "Booting paravirtualized kernel on ", kind: incident.IsGuest, device: nothing, or: []string{"KVM", "Xen", "Hyper-V", "VMware"}},
	{has: "kvm-clock: ", kind: incident.IsGuest, device: nothing},
	{has: "kvm-guest: ", kind: incident.IsGuest, device: nothing},
	{has: "hv_vmbus: ", kind: incident.IsGuest, device: nothing},
	{has: "Modules linked in:", kind: incident.IsGuest, device: nothing, or: []string{" virtio_balloon", " vmw_balloon", " vmw_pvscsi", " hv_netvsc", " hv_storvsc", " hv_balloon", " xen_netfront", " xen_blkfront", " vboxguest"}},
	{has: "Hardware name: ", kind: incident.IsGuest, device: nothing, or: guestMachines},
	{has: "DMI: ", kind: incident.IsGuest, device: nothing, or: guestMachines},
}

// guestMachines are what hypervisors call the machines that they make.
var guestMachines = []string{
	"QEMU", "VMware", "Microsoft Corporation Virtual Machine", "innotek GmbH", "Xen HVM", "Google Compute Engine", "Amazon EC2",
	"OpenStack", "KVM", "Bochs", "Parallels", "DigitalOcean Droplet", "Hetzner vServer", "Alibaba Cloud ECS", "BHYVE", "oVirt", "Nutanix AHV", "Cloud Hypervisor",
	"Apple Virtualization", "Firecracker", "crosvm", "Scaleway SCW", "Linode Compute", "Vultr ", "UpCloud", "OpenNebula", "RHEV Hypervisor",
}
