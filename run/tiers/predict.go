package tiers

import (
	"context"

	"assay"
	"assay/inventory"
	"assay/volume"
)

// assumedRoom is the room of a volume whose size nobody gave.
const assumedRoom = 1 << 40

// NoAddress stands for the address of a pod that is not there yet.
const NoAddress = "0.0.0.0"

// Predict returns the inventory as it will be, where nothing is to be made yet: of
// pods that are not there it assumes what they need, after the Kubernetes was
// asked whether they could be.
func (d *Deployment) Predict(ctx context.Context, tools []string) (assay.Inventory, error) {
	inv := assay.Inventory{Facts: map[string]assay.Facts{}}
	if err := d.Check(ctx); err != nil {
		return inv, err
	}
	inv.Resources = d.shared()
	for _, one := range d.clients {
		d.addTier(&inv, one)
	}
	for _, one := range d.pods() {
		f := assay.Facts{Host: one.host.Name}
		for _, t := range tools {
			f.Tools = append(f.Tools, assay.ToolFacts{Name: t, Path: t})
		}
		room := roomOf(one)
		switch one.subject.Kind {
		case assay.KindBlock:
			f.Block = append(f.Block, assay.BlockDevice{Name: one.host.Name, Path: one.subject.Name, Kind: "other", Bytes: room})
		case assay.KindDirectory:
			f.Dirs = append(f.Dirs, assay.DirFacts{Path: one.subject.Name, Exists: true, Writable: true, Bytes: room, Free: room})
		}
		inv.Hosts = append(inv.Hosts, one.host)
		inv.Facts[one.host.Name] = f
		inv.Subjects = append(inv.Subjects, one.subject)
	}
	inv.Networks = d.predictedNetwork()
	inv.Subjects = append(inv.Subjects, inventory.Links(inv)...)
	return inv, nil
}

// predictedNetwork is the network of the pods, one for each node that is named: where
// the scheduler is going to put the others is not known.
func (d *Deployment) predictedNetwork() []assay.Network {
	n := assay.Network{Name: d.podNetworkName(), Addresses: map[string]string{}}
	seen := map[string]bool{}
	for _, one := range d.pods() {
		if one.node != "" && !seen[one.node] {
			seen[one.node] = true
			n.Addresses[one.host.Name] = NoAddress
		}
	}
	if len(n.Addresses) < 2 {
		return nil
	}
	return []assay.Network{n}
}

// roomOf is how much a volume holds that was asked for, in bytes.
func roomOf(one *client) int64 {
	if storage, is := one.tier.Storage.(volume.Sized); is {
		if n, ok := storage.Bytes(); ok {
			return n
		}
	}
	return assumedRoom
}
