// Package migration tests the suite migration as its users use it, on two hosts of lab/hosts
// with a libvirtd each and a guest in QEMU that is moved between them: there and back, after
// Ctrl-C and after kill -9, and what is refused. The guest is busybox with an address, perl, a
// guest agent and a disk over NBD, or a file that goes with it. A VM of Proxmox VE is one of stand-ins for
// qm and pvesh on such hosts: what is real there is how they are run, and what becomes of that.
//
// Whoever measures something with its figures measures an emulated processor.
package migration
