package vmdisk

import (
	"context"
	"strings"

	"assay"
	hypervisors "assay/internal/hypervisor"
	"assay/internal/lazyregexp"
)

// hypervisor handles one disk with the commands of its kind.
type hypervisor interface {
	// ready refuses a guest that is off, and settings that its controllers do not
	// support.
	ready(ctx context.Context) error
	// room returns the storage's free space and size, in bytes.
	room(ctx context.Context) (free, size int64, err error)
	// create makes the volume, and fails if the name exists.
	create(ctx context.Context, bytes int64) error
	attach(ctx context.Context) error
	// attached returns the disk as the guest has it; false if it is not
	// attached.
	attached(ctx context.Context) (assay.GuestDisk, bool, error)
	// detach asks the guest to let the disk go. The error is assay.ErrBusy if
	// it refuses.
	detach(ctx context.Context) error
	// remove deletes what was made, except what is attached, and verifies that it is
	// gone. It is idempotent.
	remove(ctx context.Context) error
}

// kind is a kind of hypervisor.
type kind struct {
	word  string // as in cluster.yaml
	bus   string // default bus of a disk
	guest *lazyregexp.Regexp
	// volume returns the name of a guest's volume for a receipt id.
	volume func(guest, id string) string
	of     func(below assay.Place, d disk) hypervisor
	// thread chooses a thread that no disk uses; nil if the hypervisor creates one itself.
	thread func(ctx context.Context, below assay.Place, d disk) (int, error)
}

var kinds = []kind{
	{"libvirt", virtio, domainName, func(_, id string) string { return prefix + id }, newLibvirt, freeThread},
	{"proxmox", scsi, vmID, proxmoxVolume, newProxmox, nil},
}

// kindOf returns the kind of that word, or nil.
func kindOf(word string) *kind {
	for i := range kinds {
		if kinds[i].word == word {
			return &kinds[i]
		}
	}
	return nil
}

// trouble is an error message of a hypervisor, with its meaning and a hint. STORAGE and
// GUEST stand for those of the disk.
type trouble = hypervisors.Trouble

// tell runs a command on the hypervisor and returns its output. A failure is explained
// by the first trouble that matches.
func tell(ctx context.Context, below assay.Place, d disk, troubles []trouble, c assay.Cmd) (string, error) {
	return hypervisors.Tell(ctx, below, troubles, strings.NewReplacer("STORAGE", d.Storage, "GUEST", d.Guest), c)
}
