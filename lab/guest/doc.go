// Package guest boots a separate machine in QEMU: a small Debian with Debian's kernel
// and disks of every kind, for what this machine's kernel cannot do or must not be
// asked to do: device mapper, md, LUKS, LVM, real udev links, faulty drives.
//
// The processor is emulated, so no /dev/kvm is needed, and a figure measured in a
// guest means nothing except as a ratio to another one.
//
// A guest is one process and one directory. Nothing outlives the program that started
// it, even if that is killed; what a guest writes to its system goes to an unnamed
// file. It has no access to any network: only its sshd can be reached, through a port
// of this machine's loopback interface, with keys made for it.
package guest
