package hypotheses

import (
	"assay"
	"assay/internal/quantity"
)

// linkSlot is a card in a slot too narrow for its lines.
var linkSlot = Hypothesis{
	ID: "link-slot", Layer: "network", Name: "a PCIe slot that is too narrow for the card", Usual: 3, Slower: true,
	Slows: slows(.9, rates...).and(often, OnEveryNetwork),
	Clues: []Clue{
		{Ask: lessOnInterface(slotOf, quantity.Megabytes), If: .9, Else: .01, Proves: true,
			Says: "its card is in a slot for {own}, theirs for {theirs}"},
		{Ask: audited("nic-slot"), If: .6, Else: .01, Says: "the audit found the slot narrower than the line"},
		{Ask: asFastAsASlot, If: .97, Else: .5}, boundByLine,
	},
	Decides: "lspci -vv: LnkSta against LnkCap of the card",
	Remedy:  "Move {host}'s NIC on {network} to a wider slot: lspci -vv | grep -E 'LnkCap|LnkSta'",
}

func slotOf(n assay.NICFacts) float64 {
	if n.Link == nil {
		return 0
	}
	return n.Link.Ceiling
}

// narrowest is what the slowest PCIe slot carries, one lane of the first generation, in
// B/s: 2.5 GT/s, of which eight bits in ten are payload and a quarter of that is
// headers.
const narrowest = 2.5e9 * .8 / 8 * .75

// asFastAsASlot asks whether the throughput is at least that of the slowest slot.
func asFastAsASlot(s *Suspect) Answer {
	if s.Rate <= 0 {
		return Answer{}
	}
	return Answer{Is: is(s.Rate >= narrowest)}
}
