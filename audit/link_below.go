package audit

import (
	"fmt"
	"slices"
	"strings"

	"assay"
)

var linkBelow = Rule{
	ID: "link-below", Number: 104, Applies: "all", Severities: "W",
	Title:   "A link slower than what is at its end",
	Formula: "a PCIe link of a network card or drive below what the device can, as lspci tells; a port at a speed below the fastest mode that it supports, or at half duplex",
	Source:  "PCI Express Base Specification, link capabilities and status; IEEE 802.3, clause 28: both ends agree on the best mode that both and the cable can",
	Example: "eth0: 100 Mb/s, supports 1.00 Gb/s",
	Check: func(e Evidence) []assay.Finding {
		const id = "link-below"
		var found []assay.Finding
		say := func(host, arithmetic, message, advice string) {
			found = append(found, assay.Finding{Rule: id, Severity: assay.Warns, Subject: orDefault(host, Everything), Arithmetic: arithmetic, Message: message, Advice: advice})
		}
		for _, host := range e.hosts() {
			facts := e.Inventory.Facts[host]
			for _, n := range facts.NICs {
				if n.Virtual || n.State == "down" {
					continue
				}
				name := orDefault(n.Name, "a port")
				if n.Speed > 0 && n.Fastest > n.Speed {
					say(host, fmt.Sprintf("%s: %s, supports %s", name, bitRate(n.Speed), bitRate(n.Fastest)),
						"the port runs below what it supports: the other end can do no more, or the cable has a bad pair",
						"try another cable and another port of the switch; the modes of both ends: ethtool "+name)
				}
				if n.Duplex == "half" {
					say(host, name+": half duplex", "one direction at a time, and collisions: one end has its speed set by hand while the other negotiates", "let both ends negotiate: ethtool -s "+name+" autoneg on")
				}
				if could, ok := downgraded(n.Link); ok {
					say(host, fmt.Sprintf("%s: %s of %s", name, n.Link.Mode, could), "the network card's slot gives it less than it can use", "reseat the card, try another slot, look for a slot shared with a drive: lspci -vv")
				}
			}
			for _, d := range facts.Block {
				if could, ok := downgraded(d.Link); ok {
					say(host, fmt.Sprintf("%s: %s of %s", d.Name, d.Link.Mode, could), "the drive's slot gives it less than it can use: its sequential figures are limited by the slot", "reseat the drive, try another slot or riser: lspci -vv")
				}
			}
		}
		return found
	},
}

// hosts returns the hosts with known facts, sorted.
func (e Evidence) hosts() []string {
	var all []string
	for host := range e.Inventory.Facts {
		all = append(all, host)
	}
	slices.Sort(all)
	return all
}

// downgraded returns what a link could run at if it runs below that.
func downgraded(l *assay.Link) (could string, ok bool) {
	if l == nil {
		return "", false
	}
	_, could, ok = strings.Cut(l.At, "(downgraded from ")
	return strings.TrimSuffix(could, ")"), ok
}
