package hypotheses

// pathFar is delay only between two hosts.
var pathFar = Hypothesis{
	ID: "path-far", Layer: "network", Of: OfPath, Name: "a detour between them", Usual: 8,
	Slows:   slows(always, RoundTrips).and(sometimes, rates...),
	Decides: "mtr between them, both ways",
	Remedy:  "Find the hop that adds the delay: mtr -bzc 20 ADDRESS from {host} to {peer} on {network}",
}
