package hypotheses

import (
	"strconv"

	"assay"
)

// mtuLow is an interface with a smaller MTU than the others': jumbo frames at one end.
var mtuLow = Hypothesis{
	ID: "mtu-low", Layer: "network", Name: "a smaller MTU on its interface", Usual: 5, Standing: true,
	Slows: slows(.8, sizes...).and(sometimes, rates...).and(seldom, losses...).and(sometimes, EchoesLost, OnEveryNetwork),
	Clues: []Clue{
		{Ask: onInterface(mtuOf, func(string) bool { return true }), If: .95, Else: .01, Proves: true, Says: "the MTU of its interface is {own}, theirs {theirs}"},
	},
	Decides: "ip link show on it",
	Remedy:  "Set one MTU on all interfaces of {network}, first on {host}: ip link set IFACE mtu SIZE",
}

func mtuOf(n assay.NICFacts) string {
	if n.MTU == 0 {
		return ""
	}
	return strconv.Itoa(n.MTU)
}
