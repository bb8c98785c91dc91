// Package clone makes virtual machines for a run, as clones of a template that the user names,
// or of a cloud image, and destroys them with their disks. A template is looked at, and neither
// started nor written, and so is an image that is there; one that is downloaded for them is
// removed with them.
//
// What a clone is called follows from the id of its receipt. A guest is destroyed only if its
// hypervisor knows it by the receipt: a domain of libvirt by its UUID, which stays when it is
// renamed, a VM of Proxmox VE by its number and by what its name or its description says.
package clone
