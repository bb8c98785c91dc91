// Package hypervisor turns a host of lab/hosts into a hypervisor: a libvirtd with QEMU,
// which emulates the processor. It also builds what guests boot from, based on the image of
// lab/guest.
package hypervisor
