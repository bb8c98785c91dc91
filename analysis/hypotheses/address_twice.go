package hypotheses

import "strings"

// addressTwice is an address that another host also has.
var addressTwice = Hypothesis{
	ID: "address-twice", Layer: "network", Name: "a duplicate address", Usual: 2, Standing: true,
	Slows: slows(.5, rates...).and(.5, losses...).and(.5, EchoesLost).and(seldom, EchoesTwice).and(sometimes, RoundTrips),
	Clues: []Clue{{Ask: func(s *Suspect) Answer {
		return Answer{Is: is(len(s.Twins) > 0), Own: strings.Join(s.Twins, " and ")}
	}, If: .9, Else: .0005, Proves: true, Says: "its address is a duplicate: {own} also has it"}},
	Decides: "arping -D -I IFACE ADDRESS from a third host",
	Remedy:  "Remove the address of {host} on {network} from the other host: ip address del ADDRESS dev IFACE",
}
