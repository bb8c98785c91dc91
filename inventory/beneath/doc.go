// Package beneath reads what a hypervisor reports about a guest: its processor and its
// disks with their cache modes. Readers are pure; Kind.Ask runs the command on the
// hypervisor. It changes nothing.
package beneath
