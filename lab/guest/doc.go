// Package guest boots a machine of its own in QEMU: a small Debian with Debian's
// kernel and disks of every kind, for what this machine's kernel cannot do or must
// not be asked to: device mapper, md, LUKS, LVM, real links of udev, faulty drives.
//
// The processor is emulated, so no /dev/kvm is needed, and no figure that is measured
// in a guest means anything but by its ratio to another one.
//
// A guest is one process and one directory. Nothing outlives the program that
// started it, not even where that is killed; what a guest writes to its system
// is in no file that has a name. It has no way to any network: only its sshd is
// reached, through a port of this machine's loopback interface, with keys that
// are made for it.
package guest
