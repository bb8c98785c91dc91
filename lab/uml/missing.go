package uml

import (
	"errors"

	"assay/lab/guest"
	"assay/lab/internal/command"
)

// Missing says what this machine lacks for one; nil for nothing. It has a hint.
func Missing() error {
	return errors.Join(guest.Missing(), command.Missing("a machine in User Mode Linux", []command.Needed{
		{Program: "linux.uml", Package: "user-mode-linux"}, {Program: "qemu-storage-daemon", Package: "qemu-system-common"},
	}))
}
