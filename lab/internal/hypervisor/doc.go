// Package hypervisor makes a hypervisor of a host of lab/hosts: a libvirtd with QEMU, which
// emulates the processor. It also makes what guests boot from, of the image of lab/guest.
package hypervisor
