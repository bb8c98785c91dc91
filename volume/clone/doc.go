// Package clone makes virtual machines for a run, as clones of a template that the user names,
// or from a cloud image, and destroys them with their disks. A template or an existing image
// is only looked at, neither started nor written; an image downloaded for them is removed with
// them.
//
// A clone's name follows from the id of its receipt. A guest is destroyed only if its
// hypervisor links it to the receipt: a libvirt domain by its UUID, which survives renaming, a
// VM of Proxmox VE by its number and by its name or description.
package clone
