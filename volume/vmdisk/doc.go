// Package vmdisk lends a running virtual machine a disk of its own: a new volume in a
// hypervisor storage that the user names, attached to the guest, and detached and deleted
// afterwards. How the hypervisor does its I/O is a way of lending: cache, aio, iothread,
// bus.
//
// The guest finds the disk by its serial number, never by a letter, and makes a file
// system on it if asked to. The guest's existing disks are left alone: a disk is detached
// only if both its volume and its serial match the receipt. Everything but a mount is
// undone on the hypervisor, so that it works while the guest is off.
package vmdisk
