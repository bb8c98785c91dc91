package hypotheses

import (
	"fmt"

	"assay"
)

// linkBond is a bond with a failed member link.
var linkBond = Hypothesis{
	ID: "link-bond", Layer: "network", Name: "a bond with a link down", Usual: 2,
	Slows: slows(often, rates...).and(seldom, RoundTrips),
	Clues: []Clue{
		{Ask: lessOnInterface(func(n assay.NICFacts) float64 { return float64(n.Members) }, func(v float64) string { return fmt.Sprint(v) }),
			If: .85, Else: .002, Proves: true, Says: "its bond has {own} links up, theirs {theirs}"},
	},
	Decides: "cat /proc/net/bonding/BOND on that host",
	Remedy:  "Bring up the failed link of {host}'s bond: cat /proc/net/bonding/BOND names it",
}
