package hypotheses

// pathMTU is a hop between two hosts with a smaller MTU.
var pathMTU = Hypothesis{
	ID: "path-mtu", Layer: "network", Of: OfPath, Name: "a hop with a smaller MTU between them", Usual: 6,
	Slows:   slows(.95, sizes...).and(.4, rates...).and(sometimes, losses...),
	Decides: "ping -M do -s SIZE in both directions: silence is a black hole, 'Message too long' a router that answers",
	Remedy:  "Set one MTU on everything between {host} and {peer} on {network}; ping -M do -s SIZE finds the largest packet that passes",
}
