package vmdisk

import (
	"context"
	"strings"

	"assay"
	hypervisors "assay/internal/hypervisor"
	"assay/internal/lazyregexp"
)

// hypervisor does what is to be done to one disk, in the words of its kind.
type hypervisor interface {
	// ready refuses a guest that is off, and settings that its controllers cannot have.
	ready(ctx context.Context) error
	// room tells what is free in the storage, and how large it is, in bytes.
	room(ctx context.Context) (free, size int64, err error)
	// create makes the volume, and fails where there is one of that name.
	create(ctx context.Context, bytes int64) error
	attach(ctx context.Context) error
	// attached tells how the guest has the disk; false where it has it no more.
	attached(ctx context.Context) (assay.GuestDisk, bool, error)
	// detach asks the guest to let the disk go. assay.ErrBusy where it refuses.
	detach(ctx context.Context) error
	// remove deletes what was made but what is attached, and looks whether it is gone.
	// It is idempotent.
	remove(ctx context.Context) error
}

// kind is a kind of hypervisor.
type kind struct {
	word  string // as in cluster.yaml
	bus   string // of a disk where nobody said
	guest *lazyregexp.Regexp
	// volume is what the volume of a guest is called that has the receipt's id.
	volume func(guest, id string) string
	of     func(below assay.Place, d disk) hypervisor
	// thread chooses a thread that no disk has; nil where the hypervisor makes one itself.
	thread func(ctx context.Context, below assay.Place, d disk) (int, error)
}

var kinds = []kind{
	{"libvirt", virtio, domainName, func(_, id string) string { return prefix + id }, newLibvirt, freeThread},
	{"proxmox", scsi, vmID, proxmoxVolume, newProxmox, nil},
}

// kindOf returns the kind of that word, nil where there is none.
func kindOf(word string) *kind {
	for i := range kinds {
		if kinds[i].word == word {
			return &kinds[i]
		}
	}
	return nil
}

// trouble is what a hypervisor says, with what that is and what to do. STORAGE and GUEST
// are those of the disk.
type trouble = hypervisors.Trouble

// tell runs a command on the hypervisor and returns what it printed. What it refuses is
// explained by the first trouble that fits.
func tell(ctx context.Context, below assay.Place, d disk, troubles []trouble, c assay.Cmd) (string, error) {
	return hypervisors.Tell(ctx, below, troubles, strings.NewReplacer("STORAGE", d.Storage, "GUEST", d.Guest), c)
}
