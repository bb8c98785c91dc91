// Package device lends a drive of an SSH host or of this machine to be overwritten: one
// named by its link below /dev/disk/by-id and its serial, and confirmed by somebody who
// saw its size and model. What is refused, and how that is detected, is up to
// volume/guard.
package device
