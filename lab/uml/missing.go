package uml

import (
	"errors"

	"assay/lab/guest"
	"assay/lab/internal/command"
)

// Missing returns what this machine lacks for such a machine, or nil. The error
// has a hint.
func Missing() error {
	return errors.Join(guest.Missing(), command.Missing("a machine in User Mode Linux", []command.Needed{
		{Program: "linux.uml", Package: "user-mode-linux"}, {Program: "qemu-storage-daemon", Package: "qemu-system-common"},
	}))
}
