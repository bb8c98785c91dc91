package hypotheses

import (
	"slices"

	"assay"
	"assay/internal/prose"
)

// linkBond is a bond with a failed member link.
var linkBond = Hypothesis{
	ID: "link-bond", Layer: "network", Name: "a bond with a link down", Usual: 2, Standing: true,
	Slows: slows(often, rates...).and(seldom, RoundTrips),
	Clues: []Clue{
		{Ask: hasFewerLinks, If: .85, Else: .002, Proves: true, Says: "its bond has {own}, theirs {theirs}"},
	},
	Decides: "cat /proc/net/bonding/BOND on that host",
	Remedy:  "Bring up the failed link of {host}'s bond: cat /proc/net/bonding/BOND names it",
}

// hasFewerLinks asks whether a link of the bond is down, and not as many of all the others'
// bonds. Of a bond whose links are unknown, it asks whether it has fewer than they.
func hasFewerLinks(s *Suspect) Answer {
	down := s.linksDown(s.Host)
	if n, _ := s.nic(s.Host); down == 0 && n.Driver == assay.Bonding {
		return Answer{} // some of its links may be backups
	}
	if down == 0 {
		return lessOnInterface(func(n assay.NICFacts) float64 { return float64(n.Members) }, func(v float64) string { return prose.Plural(int(v), "link") + " up" })(s)
	}
	asMany := func(host string) bool { return s.linksDown(host) >= down }
	fewer := len(s.Others) == 0 || slices.ContainsFunc(s.Others, func(h string) bool { return !asMany(h) })
	return Answer{Is: is(fewer), Own: prose.Plural(down, "link") + " down"}
}

// linksDown returns how many links are down of the bond that carried a host's traffic: of
// any bond in use, if a bridge or a tunnel did.
func (s *Suspect) linksDown(host string) int {
	if n, known := s.nic(host); known && (!n.Virtual || n.Driver == assay.Bonding) {
		return n.Down
	}
	most := 0
	for _, n := range s.Facts[host].NICs {
		if n.State != "down" {
			most = max(most, n.Down)
		}
	}
	return most
}
