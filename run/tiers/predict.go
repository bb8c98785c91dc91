package tiers

import (
	"context"

	"assay"
	"assay/inventory"
	"assay/volume"
)

// assumedRoom is the size of a volume if nobody gave one.
const assumedRoom = 1 << 40

// NoAddress stands for the address of a pod that does not exist yet.
const NoAddress = "0.0.0.0"

// Predict returns the future inventory without making anything: it asks the
// Kubernetes whether the pods could be made, and assumes that they will have what
// they need.
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

// predictedNetwork returns the network of the pods, one for each named node: where
// the scheduler will put the others is unknown.
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

// roomOf returns the requested size of a volume, in bytes.
func roomOf(one *client) int64 {
	if storage, is := one.tier.Storage.(volume.Sized); is {
		if n, ok := storage.Bytes(); ok {
			return n
		}
	}
	return assumedRoom
}
