// Package vmdisk lends a disk of its own to a running virtual machine: a new volume in a
// storage of the hypervisor that the user names, attached to the guest, detached and
// deleted afterwards. How the hypervisor reads and writes it is a way of lending: cache,
// aio, iothread, bus.
//
// The guest finds the disk by the serial number that it was given, never by a letter, and
// makes a file system on it where one is asked for. What the guest has already is left
// alone: a disk is detached only if both its volume
// and its serial are those of the receipt. All that is undone but a mount is undone on the
// hypervisor, so that it can be while the guest is off.
package vmdisk
