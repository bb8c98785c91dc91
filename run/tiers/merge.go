package tiers

import (
	"maps"
	"slices"

	"assay"
)

// Merge returns the inventory of the hosts of a and b, which name the same
// tiers.
func Merge(a, b assay.Inventory) assay.Inventory {
	joined := b
	if len(b.Tiers) == 0 {
		joined.Tiers, joined.Resources = a.Tiers, a.Resources
	}
	joined.Hosts = slices.Concat(a.Hosts, b.Hosts)
	joined.Subjects = slices.Concat(a.Subjects, b.Subjects)
	joined.Facts = maps.Clone(a.Facts)
	maps.Copy(joined.Facts, b.Facts)
	return joined
}
