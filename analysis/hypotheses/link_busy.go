package hypotheses

import "assay/internal/quantity"

// linkBusy is a link with traffic besides the tests: a backup, a copy, a virtual machine.
var linkBusy = Hypothesis{
	ID: "link-busy", Layer: "network", Name: "other traffic on its link", Usual: 8, Standing: true,
	Slows: slows(.6, Sends).and(seldom, Receives).and(sometimes, LosesSent, RoundTrips, Unsteady, OnEveryNetwork).and(seldom, LosesReceived, EchoesLost),
	Clues: []Clue{
		{Ask: sendsOtherTraffic, If: .97, Else: .002, Proves: true, Says: "its link was busy with other outgoing traffic: {own} besides the tests, theirs {theirs}"},
	},
	Decides: "sar -n DEV 1 on that host while assay isn't running",
	Remedy:  "Find and stop what sends from {host} on {network}: nethogs, ss -tnp",
}

// sendsOtherTraffic asks whether the interface that carried the traffic sent, besides
// the tests, a tenth of what its link can carry, and five times what any other did. Only
// senders count: the same bytes arrive at the other end.
func sendsOtherTraffic(s *Suspect) Answer {
	const much = .1
	line := s.fastest(s.Host) / 8
	if n, known := s.nic(s.Host); known {
		line = max(line, n.Rate()/8)
	}
	if line <= 0 {
		return Answer{}
	}
	sent := s.onCarrier(func(c Counted) map[string]float64 { return c.Sent })
	return s.exceeds(sent, much*line, func(v float64) string { return quantity.Rate(8 * v) })
}
