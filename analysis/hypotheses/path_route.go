package hypotheses

// pathRoute is a route between two hosts over another network than requested.
var pathRoute = Hypothesis{
	ID: "path-route", Layer: "network", Of: OfPath, Name: "a route over another network", Usual: 4, Standing: true,
	Slows:   slows(.6, rates...).and(sometimes, RoundTrips).and(seldom, losses...).and(seldom, sizes...),
	Clues:   []Clue{{Ask: strayed, If: .97, Else: .0005, Proves: true, Says: "its {own} instead of {theirs}"}},
	Decides: "ip route get ADDRESS on both",
	Remedy:  "Fix the route between {host} and {peer}: ip route get ADDRESS shows it, ip route replace ADDRESS dev IFACE sets it",
}
