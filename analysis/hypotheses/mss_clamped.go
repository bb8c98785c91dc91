package hypotheses

const mssDecides = "ss -ti during a transfer: the mss of the socket against the MTU of the interface"

// mssClamped is a host with TCP segments shorter than the packets that its paths
// carry: a clamp in a firewall, a route with an advmss, a socket option.
var mssClamped = Hypothesis{
	ID: "mss-clamped", Layer: "network", Name: "a clamped TCP segment size (MSS)", Usual: 3,
	Slows:   slows(.9, shorts...).and(.6, rates...).and(seldom, losses...).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{segmentsAreShort, packetsAreWhole},
	Decides: mssDecides,
	Remedy:  "Find what clamps the segments of {host}: ip route show (advmss), nft list ruleset (maxseg), iptables -t mangle -S (TCPMSS)",
}

// pathClamped is the same between two hosts.
var pathClamped = Hypothesis{
	ID: "path-mss-clamped", Layer: "network", Of: OfPath, Name: "a clamped TCP segment size (MSS) between them", Usual: 3,
	Slows:   slows(.9, shorts...).and(.6, rates...).and(seldom, losses...),
	Clues:   []Clue{segmentsAreShort, packetsAreWhole},
	Decides: mssDecides,
	Remedy:  "Find what clamps the segments between {host} and {peer} on {network}: ip route show (advmss), nft list ruleset (maxseg), iptables -t mangle -S (TCPMSS)",
}

// packetsAreWhole is the clue that the paths carry larger packets.
var packetsAreWhole = Clue{Ask: func(s *Suspect) Answer {
	sent, known := s.Seen[NarrowSent]
	received, also := s.Seen[NarrowReceived]
	if !known && !also {
		return Answer{}
	}
	return Answer{Is: is(!sent.Odd && !received.Odd)}
}, If: .98, Else: .6, Says: "packets of full size pass"}

// segmentsAreShort is what iperf3 reports about its sockets. A figure shows how
// short.
var segmentsAreShort = Clue{Ask: func(s *Suspect) Answer {
	sent, known := s.Seen[ShortSent]
	received, also := s.Seen[ShortReceived]
	if !known && !also {
		return Answer{}
	}
	return Answer{Is: is(sent.Odd || received.Odd), Own: "segments of full size"}
}, If: .98, Else: .005, Proves: true}
