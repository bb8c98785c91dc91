package audit

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/limits"
)

var nicSlot = Rule{
	ID: "nic-slot", Number: 7, Applies: "iperf3, iperf2", Severities: "W",
	Title:   "A PCIe slot slower than the card's ports",
	Formula: "PCIe link of the card, one direction < total speed of its ports (same PCI address except for the function)",
	Source:  "PCI Express Base Specification: a link carries its rate in each direction at the same time; Linux current_link_speed and current_link_width",
	Example: "ports 2 x 10.0 Gb/s = 20.0 Gb/s against 5 GT/s x 4 x 8/10 / 8 = 16.0 Gb/s: 1.25 x",
	Check:   checkNICSlot,
}

func checkNICSlot(e Evidence) []assay.Finding {
	const id = "nic-slot"
	var found []assay.Finding
	flows := e.network()
	for _, host := range hostsOf(flows) {
		f := flows[slices.IndexFunc(flows, func(f flow) bool { return f.Trial.Subject.Host == host })]
		var ports []assay.NICFacts
		for _, n := range f.facts.NICs {
			if !n.Virtual && n.Members <= 1 {
				ports = append(ports, n)
			}
		}
		if len(ports) == 0 {
			found = append(found, f.unchecked(id, []string{f.metric}, "PCIe slot of the network card", "lspci -vv and ethtool -i show it"))
			continue
		}
		for _, card := range cards(ports) {
			found = append(found, f.slot(id, card)...)
		}
	}
	return found
}

// cards groups ports by card.
func cards(ports []assay.NICFacts) [][]assay.NICFacts {
	at := map[string]int{}
	var all [][]assay.NICFacts
	for _, p := range ports {
		card, _, _ := strings.Cut(p.Slot, ".")
		if i, known := at[card]; known && card != "" {
			all[i] = append(all[i], p)
			continue
		}
		at[card] = len(all)
		all = append(all, []assay.NICFacts{p})
	}
	return all
}

// slot compares a card with its slot.
func (f flow) slot(id string, card []assay.NICFacts) []assay.Finding {
	sum := 0.0
	var terms []string
	for _, p := range card {
		if p.Speed > 0 {
			sum += p.Speed
			terms = append(terms, bitRate(p.Speed))
		}
	}
	if len(terms) == 0 {
		return nil // no port has a link: it carries nothing
	}
	link := card[0].Link
	for _, p := range card {
		if p.Link != nil && p.Link.Ceiling > 0 {
			link = p.Link
		}
	}
	if link == nil || !(link.Ceiling > 0) {
		if card[0].Slot == "" && card[0].Driver == "" {
			return []assay.Finding{f.unchecked(id, []string{f.metric}, "PCIe slot of "+orDefault(card[0].Name, "the network card"), "lspci -vv and ethtool -i show it")}
		}
		return []assay.Finding{f.unchecked(id, []string{f.metric}, "PCIe link of "+orDefault(card[0].Name, "the network card"), "lspci -vv as root shows LnkSta")}
	}
	bits := 8 * link.Ceiling
	if sum <= bits {
		return nil
	}
	ports := strings.Join(terms, " + ")
	if len(terms) > 1 {
		ports += " = " + bitRate(sum)
	}
	subject := orDefault(f.Trial.Subject.Host, f.Trial.ID)
	return []assay.Finding{{
		Rule: id, Severity: assay.Warns, Subject: subject,
		Arithmetic: fmt.Sprintf("ports %s against %s = %s: %s", ports, limits.Link(link).Sum, bitRate(bits), times(sum/bits)),
		Message:    "the slot carries less than the card's ports together: with all of them in use, the slot is the bottleneck",
		Advice:     "move the card to a slot with more lanes or of a newer generation; its current link: lspci -vv -s " + orDefault(card[0].Slot, "SLOT") + " | grep LnkSta",
	}}
}
