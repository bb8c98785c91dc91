package hypotheses

import "assay/limits"

// linkLimited is a line with a rate limit that no fact shows: a shaper on the switch
// port, a limit of the hypervisor's virtual switch.
var linkLimited = Hypothesis{
	ID: "link-limited", Layer: "network", Name: "a rate limit on its port", Usual: 6,
	Slows:   slows(always, rates...).and(seldom, losses...).and(seldom, RoundTrips).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{boundByLine, {Ask: carriesNoLine, If: .9, Else: .4}},
	Decides: "iperf3 -P 4: four flows carry no more than one where the line is the limit",
	Remedy:  "Look for a shaper on {host} (tc -s qdisc), on its switch port and its virtual switch, then compare ethtool IFACE at both ends",
}

// carriesNoLine asks whether the throughput matches no common line rate.
func carriesNoLine(s *Suspect) Answer {
	if s.Rate <= 0 {
		return Answer{}
	}
	return Answer{Is: is(limits.LikeALine(s.Rate) == 0)}
}
