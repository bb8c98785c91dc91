package delays

import (
	"context"
	_ "embed" // the script
	"errors"
	"path/filepath"

	"assay/lab/guest"
	"assay/lab/uml"
)

// Native is a stack of User Mode Linux machines (lab/uml), with DRBD on LVM. Nothing is
// emulated, so even one millisecond more shows.
var Native = Stack{
	In: "User Mode Linux",
	Missing: func() error {
		_, tools := guest.Tools()
		_, drbd := guest.DRBD()
		return errors.Join(uml.Missing(), tools, drbd)
	},
	boot:    native,
	Bottom:  Alone,
	changes: nativeChanges,
	tiers:   replicated("volume_group: vms"),
}

//go:embed native.sh
var prepareNative string

func native(ctx context.Context, b *Bed, i int) (host, error) {
	tools, err := guest.Tools()
	if err != nil {
		return nil, err
	}
	drbd, err := guest.DRBD()
	if err != nil {
		return nil, err
	}
	name := hostNames[i]
	g, err := uml.Boot(ctx, filepath.Join(b.dir, name), uml.Machine{
		Name: name, Drives: []*guest.Drive{b.disks[i]}, Trees: []guest.Disk{tools, drbd}, Ports: []*guest.Switch{b.wire},
	})
	if err != nil {
		return nil, err
	}
	_, err = g.Run(ctx, "sh", "-c", prepareNative, "sh", addresses[i])
	return g, err
}
