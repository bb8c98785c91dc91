package delays

import (
	"context"
	_ "embed" // the script
	"errors"
	"fmt"
	"path/filepath"

	"assay/lab/guest"
)

// dataset is where replicas are created on ZFS.
const dataset = "tank/vms"

// Emulated is a stack of QEMU machines (lab/guest), with DRBD on ZFS.
var Emulated = Stack{
	In: "QEMU",
	Missing: func() error {
		_, zfs := guest.ZFS()
		_, tools := guest.Tools()
		if err := guest.Missing(); err != nil {
			return err
		}
		if zfs != nil {
			return zfs
		}
		return tools
	},
	boot:    emulated,
	Bottom:  Below,
	Settles: true,
	cached:  true,
	changes: emulatedChanges,
	tiers:   append([]tier{{Below, "zfs: {dataset: " + dataset + ", zvol: true}"}}, replicated("dataset: "+dataset)...),
}

//go:embed emulated.sh
var prepareEmulated string

func emulated(ctx context.Context, b *Bed, i int) (host, error) {
	modules, err := guest.ZFS()
	if err != nil {
		return nil, err
	}
	tools, err := guest.Tools()
	if err != nil {
		return nil, err
	}
	name := hostNames[i]
	data := guest.Disk{Bus: guest.Virtio, Serial: "DATA", Bytes: driveBytes, In: b.disks[i]}
	port := guest.Port{Switch: b.wire, MAC: fmt.Sprintf("02:00:00:00:17:%02x", i+1), Mbit: 1000}
	g, err := guest.Boot(ctx, filepath.Join(b.dir, name), guest.Machine{Name: name, Disks: []guest.Disk{data, modules, tools}, Ports: []guest.Port{port}, CPUs: 1})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(g.InstallZFS(ctx), g.InstallDRBD(ctx), g.InstallTools(ctx)); err != nil {
		return g, err
	}
	_, err = g.Run(ctx, "sh", "-c", prepareEmulated, "sh", name, addresses[i], data.Link())
	return g, err
}

// sync sets the sync property of the dataset under all tiers.
func (b *Bed) sync(ctx context.Context, to string) error {
	_, err := b.hosts[0].Run(ctx, "zfs", "set", "sync="+to, dataset)
	return err
}
