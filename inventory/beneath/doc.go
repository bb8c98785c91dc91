// Package beneath reads what a hypervisor says of a guest: the disks that it gives it,
// with their cache mode, and its processor. Readers are pure; Kind.Ask runs the command
// on the hypervisor. It changes nothing.
package beneath
