// Package migration tests the suite migration as users run it, on two hosts of lab/hosts with
// a libvirtd each and a QEMU guest that is migrated between them: there and back, after Ctrl-C
// and after kill -9, and what is refused. The guest is busybox with an address, perl, a guest
// agent and a disk over NBD, or a file that moves with it. A Proxmox VE VM is one of stand-ins
// for qm and pvesh on such hosts: only how they are run, and the effects of that, are real.
//
// Its figures measure an emulated processor.
package migration
