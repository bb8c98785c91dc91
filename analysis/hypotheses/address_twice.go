package hypotheses

import "strings"

// addressTwice is an address that another host has as well.
var addressTwice = Hypothesis{
	ID: "address-twice", Layer: "network", Name: "a duplicate address", Usual: 2, Standing: true,
	Slows: slows(.5, rates...).and(.5, losses...).and(.5, EchoesLost).and(sometimes, RoundTrips),
	Clues: []Clue{{Ask: func(s *Suspect) Answer {
		return Answer{Is: is(len(s.Twins) > 0), Own: strings.Join(s.Twins, " and ")}
	}, If: .9, Else: .0005, Proves: true, Says: "its address is on {own} as well"}},
	Decides: "arping -D -I IFACE ADDRESS from a third host",
	Remedy:  "Take the address of {host} on {network} off the other host: ip address del ADDRESS dev IFACE",
}
