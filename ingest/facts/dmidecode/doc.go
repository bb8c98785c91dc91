// Package dmidecode learns what memory modules a machine has: from what
// dmidecode prints of the firmware's tables, or udev's copy of them. It knows
// how many channels they are on where the firmware's names of the slots tell.
//
// It never takes a hypervisor's made-up modules for real ones, never counts a
// channel that the names do not show, and runs nothing: it reads what was printed.
package dmidecode
