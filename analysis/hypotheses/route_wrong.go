package hypotheses

// routeWrong is a route over another network than requested.
var routeWrong = Hypothesis{
	ID: "route-wrong", Layer: "network", Name: "a route over another network", Usual: 4, Standing: true,
	Slows:   slows(.6, rates...).and(sometimes, RoundTrips, EchoesLost).and(sometimes, OnEveryNetwork).and(seldom, losses...).and(seldom, sizes...),
	Clues:   []Clue{{Ask: strayed, If: .97, Else: .0005, Proves: true, Says: "its {own} instead of {theirs}"}},
	Decides: "ip route get ADDRESS on that host",
	Remedy:  "Fix the route on {host}: ip route get ADDRESS shows it, ip route replace ADDRESS dev IFACE sets it",
}
