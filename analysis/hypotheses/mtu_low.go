package hypotheses

import (
	"slices"
	"strconv"
)

// mtuLow is an interface with a smaller MTU than the others'.
var mtuLow = Hypothesis{
	ID: "mtu-low", Layer: "network", Name: "a smaller MTU on its interface", Usual: 5, Standing: true,
	Slows:   slows(.8, sizes...).and(sometimes, rates...).and(seldom, losses...).and(sometimes, EchoesLost, OnEveryNetwork),
	Clues:   []Clue{{Ask: mtuBeside(func(own, least, _ int) bool { return own < least }), If: .95, Else: .01, Proves: true, Says: mtuSays}},
	Decides: "ip link show on that host",
	Remedy:  mtuRemedy,
}

// mtuHigh is an interface with a larger MTU: jumbo frames at one end. What it sends is
// dropped on the way, or fragmented by a router.
var mtuHigh = Hypothesis{
	ID: "mtu-high", Layer: "network", Name: "jumbo frames at one end only", Usual: 4, Standing: true,
	Slows:   slows(.4, sizes...).and(sometimes, rates...).and(seldom, losses...).and(seldom, EchoesLost),
	Clues:   []Clue{{Ask: mtuBeside(func(own, _, most int) bool { return own > most }), If: .95, Else: .002, Proves: true, Says: mtuSays}},
	Decides: "ip link show on that host",
	Remedy:  mtuRemedy,
}

const (
	mtuSays   = "its interface has an MTU of {own}, theirs {theirs}"
	mtuRemedy = "Set one MTU on all interfaces of {network}, first on {host}: ip link set IFACE mtu SIZE"
)

// mtuBeside compares the MTU of the interface that carried a host's traffic with the
// lowest and highest of the others'.
func mtuBeside(is func(own, least, most int) bool) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		own, _ := s.nic(s.Host)
		var theirs []int
		for _, h := range s.Others {
			n, _ := s.nic(h)
			theirs = append(theirs, n.MTU)
		}
		if own.MTU == 0 || len(theirs) == 0 || slices.Contains(theirs, 0) {
			return Answer{}
		}
		a := Answer{Is: No, Own: strconv.Itoa(own.MTU), Theirs: strconv.Itoa(slices.Min(theirs))}
		if is(own.MTU, slices.Min(theirs), slices.Max(theirs)) {
			a.Is = Yes
		}
		return a
	}
}
