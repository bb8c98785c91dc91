package tiers

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"

	"assay"
	"assay/inventory"
)

// supposed is the room of a volume whose size nobody gave.
const supposed = 1 << 40

// NoAddress stands for the address of a pod that is not there yet.
const NoAddress = "0.0.0.0"

// Suppose gives the inventory as it will be, where nothing is to be made yet: of
// pods that are not there it supposes what they need, after the Kubernetes was
// asked whether they could be.
func (s *Stage) Suppose(ctx context.Context, tools []string) (assay.Inventory, error) {
	inv := assay.Inventory{Facts: map[string]assay.Facts{}}
	if err := s.Check(ctx); err != nil {
		return inv, err
	}
	inv.Resources = s.shared()
	for _, one := range s.stations {
		s.addTier(&inv, one)
	}
	for _, one := range s.pods() {
		f := assay.Facts{Host: one.host.Name}
		for _, t := range tools {
			f.Tools = append(f.Tools, assay.ToolFacts{Name: t, Path: t})
		}
		room := roomOf(one)
		if one.isBlock() {
			f.Block = append(f.Block, assay.BlockDevice{Name: one.host.Name, Path: one.path(), Kind: "other", Bytes: room})
		} else if one.path() != "" {
			f.Dirs = append(f.Dirs, assay.DirFacts{Path: one.path(), Exists: true, Writable: true, Bytes: room, Free: room})
		}
		inv.Hosts = append(inv.Hosts, one.host)
		inv.Facts[one.host.Name] = f
		switch {
		case one.store != nil:
			inv.Subjects = append(inv.Subjects, subjectOf(one, assay.KindBucket, one.tier.Name))
		case one.isBlock():
			inv.Subjects = append(inv.Subjects, subjectOf(one, assay.KindBlock, one.path()))
		default:
			inv.Subjects = append(inv.Subjects, subjectOf(one, assay.KindDirectory, one.path()))
		}
	}
	inv.Networks = s.supposedNetwork()
	inv.Subjects = append(inv.Subjects, inventory.Links(inv)...)
	return inv, nil
}

// supposedNetwork is the network of the pods, one for each node that is named: where
// the scheduler is going to put the others is not known.
func (s *Stage) supposedNetwork() []assay.Network {
	n := assay.Network{Name: s.podNetworkName(), Addresses: map[string]string{}}
	seen := map[string]bool{}
	for _, one := range s.pods() {
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

// StoresHere are the object stores that this machine loads itself.
func (s *Stage) StoresHere() []assay.ObjectStore {
	var all []assay.ObjectStore
	for _, one := range s.stations {
		if one.store != nil && !one.inPod() && len(one.tier.Hosts) == 0 {
			all = append(all, *one.store)
		}
	}
	return all
}

// roomOf is how much a volume holds that was asked for, in bytes.
func roomOf(one *station) int64 {
	size := ""
	switch t := one.tier; {
	case t.PVC != nil:
		size = t.PVC.Size
	case t.Ephemeral != nil:
		size = t.Ephemeral.Size
	}
	if q, err := resource.ParseQuantity(size); err == nil {
		return q.Value()
	}
	return supposed
}
