// Package device lends a drive of an SSH host or of this machine to be overwritten: one
// that is named by its link below /dev/disk/by-id and its serial, and that somebody
// confirmed with its size and model before them. What is refused, and how that is found
// out, is volume/guard's.
package device
