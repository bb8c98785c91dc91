package tiers

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"

	"assay"
)

// supposed is the room of a volume whose size nobody gave.
const supposed = 1 << 40

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
	return inv, nil
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
