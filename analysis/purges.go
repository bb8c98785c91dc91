package analysis

import (
	"slices"

	"assay"
)

// Purge is what was done to a drive before a run wrote to it.
type Purge struct {
	Host, Name string
	How        string // discard, nvme-format; "" nothing
	Several    bool   // several hosts, so its own must be named
}

// purges returns the purges of the drives that a run overwrote, each once, in the order
// of its results.
func (b *builder) purges() []Purge {
	var all []Purge
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		if s.Kind != assay.KindBlock || r.Scratch.Bytes <= 0 || s.Tier != "" || len(r.Counted()) == 0 {
			continue
		}
		p := Purge{Host: s.Host, Name: s.Name, How: r.Scratch.Purge, Several: len(b.run.Inventory.Hosts) > 1}
		if !slices.ContainsFunc(all, func(q Purge) bool { return q.Host == p.Host && q.Name == p.Name }) {
			all = append(all, p)
		}
	}
	return all
}
