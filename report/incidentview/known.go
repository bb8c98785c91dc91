package incidentview

import (
	"fmt"
	"strings"

	"assay/incident"
	"assay/incident/alike"
	"assay/report/block"
)

const (
	// mostKnown is the most known incidents shown, and alikeEnough the likeness they need:
	// below it they share little more than the words of any log.
	mostKnown   = 3
	alikeEnough = 0.3
)

// Known returns the nearest incidents that are alike enough to be shown.
func Known(all []alike.Match) []alike.Match {
	var near []alike.Match
	for _, m := range all {
		if m.Like >= alikeEnough && len(near) < mostKnown {
			near = append(near, m)
		}
	}
	return near
}

// known shows incidents with similar lines, and what they turned out to be.
func known(all []alike.Match) block.Blocks {
	if len(all) == 0 {
		return nil
	}
	t := block.Table{Columns: []block.Column{{Heading: "layer"}, {Heading: "likeness", Right: true}, {Heading: "what it turned out to be, and where it was told"}}}
	for _, m := range all {
		t.Rows = append(t.Rows, block.Row{Cells: block.Words(layers(m.Layers), fmt.Sprintf("%.0f %%", 100*m.Like), m.Cause+" ("+m.Source+")")})
	}
	return block.Blocks{
		block.Heading{Level: 1, Text: "Known incidents that read like this"},
		block.Sentence{Text: "From public threads. What it was there need not be what it is here."},
		t,
	}
}

func layers(all []incident.Layer) string {
	words := make([]string, len(all))
	for i, l := range all {
		words[i] = string(l)
	}
	return strings.Join(words, "; ")
}
