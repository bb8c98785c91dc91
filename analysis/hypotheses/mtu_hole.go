package hypotheses

// mtuHole is a path that silently drops large packets.
var mtuHole = Hypothesis{
	ID: "mtu-black-hole", Layer: "network", Name: "a path MTU black hole", Usual: 4,
	Slows:   slows(.8, sizes...).and(.5, rates...).and(sometimes, losses...).and(seldom, EchoesLost).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{{Ask: func(s *Suspect) Answer { return Answer{Is: is(s.Silent)} }, If: .95, Else: .02, Proves: true, Says: "larger packets vanish without an answer"}},
	Decides: "ping -M do -s SIZE in both directions: silence is a black hole, 'Message too long' a router that answers",
	Remedy:  "Set one MTU on all interfaces and switch ports of {network}, first at {host}; ping -M do -s SIZE finds the largest packet that passes",
}

// pathHole is the same between two hosts.
var pathHole = Hypothesis{
	ID: "path-black-hole", Layer: "network", Of: OfPath, Name: "a path MTU black hole between them", Usual: 4,
	Slows:   slows(.9, sizes...).and(.5, rates...).and(sometimes, losses...),
	Clues:   []Clue{{Ask: func(s *Suspect) Answer { return Answer{Is: is(s.Silent)} }, If: .95, Else: .02, Proves: true, Says: "larger packets vanish without an answer"}},
	Decides: "ping -M do -s SIZE in both directions: silence is a black hole, 'Message too long' a router that answers",
	Remedy:  "Set one MTU on everything between {host} and {peer} on {network}; ping -M do -s SIZE finds the largest packet that passes",
}
