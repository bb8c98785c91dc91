package report

import (
	"fmt"
	"strings"

	"assay/analysis"
)

// tierNotes are the sentences that are about the tiers as a whole.
func tierNotes(n analysis.TierNotes) []string {
	var out []string
	for _, column := range n.Raw {
		out = append(out, column+" is a raw block device: unlike the others, it has no file system overhead.")
	}
	if len(n.Engines) > 0 {
		var parts []string
		for _, e := range n.Engines {
			parts = append(parts, e.Engine+" ("+strings.Join(e.Columns, ", ")+")")
		}
		out = append(out, "The I/O engines differ, with as many requests in flight: "+strings.Join(parts, ", ")+".")
	}
	for _, u := range n.Unwell {
		out = append(out, fmt.Sprintf("%s reports that it is %s: with fewer copies it writes less, so these are not its figures when healthy.", u.Column, u.Health))
	}
	return out
}
