package hypotheses

import "fmt"

// linkFlaps is a link that goes down and comes back: a loose plug, a dying cable or
// transceiver, a switch port that resets.
var linkFlaps = Hypothesis{
	ID: "link-flaps", Layer: "network", Name: "a loose or failing cable, transceiver or port", Usual: 8, Standing: true,
	Slows: slows(.6, rates...).and(.7, losses...).and(sometimes, EchoesLost).and(sometimes, RoundTrips, Unsteady, OnEveryNetwork),
	Clues: []Clue{
		{Ask: lostItsLink, If: .97, Else: .001, Proves: true, Says: "its interface lost its link {own} during the run, theirs {theirs}"},
	},
	Decides: "dmesg --follow | grep -i link on that host, and the switch's log",
	Remedy:  "Reseat the cable of {host} on {network}; if that doesn't help, replace the cable or transceiver, or try another switch port",
}

// lostItsLink asks whether the interface that carried the traffic lost its link, and
// five times as often as any of the others'.
func lostItsLink(s *Suspect) Answer {
	return s.exceeds(s.onCarrier(func(c Counted) map[string]float64 { return c.LinksLost }), 1, times)
}

func times(n float64) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return fmt.Sprintf("%.0f times", n)
}
