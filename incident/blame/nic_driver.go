package blame

import "assay/incident"

// nicDriver takes a network driver's reports about its hardware at face value: nothing
// else prints such lines.
var nicDriver = Rule{ID: "nic-driver", Title: "A network card or its driver reports an error", Check: func(c Case) []Cause {
	module, failed := c.of(incident.NICModule), c.of(incident.NICError)
	cause := Cause{Layer: incident.Network, How: Likely, explains: with(overNetwork, incident.NICModule, incident.NICError, incident.NICUp), anywhere: true}
	var events []incident.Event
	switch {
	case len(module) > 0:
		events = module
		cause.How, cause.Says = VeryLikely, "a transceiver or cable that the network card or switch refuses"
		cause.Why = "The card or switch rejects the transceiver, or the transceiver reports a fault or low optical power. The port then has no link, whatever the cable."
		cause.Next = []Step{{"check what the module says it is, and try one that the maker of the card lists; some drivers can be told to accept any", "ethtool -m INTERFACE; modinfo ixgbe | grep allow_unsupported_sfp"}}
	case len(failed) > 0:
		events = failed
		cause.Says = "a network card: its hardware, firmware or driver"
		cause.Why = "The card's own driver reports a fault in the card, which no cable, switch or remote host can cause."
		cause.Next = []Step{{"compare the versions of driver and firmware with what the maker names, try another slot, then another card", "ethtool -i INTERFACE; lspci -vv | grep -A30 -i ethernet"}}
		if c.hasOn(failed[0].Host, incident.AERFatal) || c.has(incident.PCIeDown) {
			cause.How = Possible // the slot may be the cause
		}
	default:
		return nil
	}
	cause.Host, cause.Device = events[0].Host, only(devices(events))
	cause.Evidence = quote(4, events)
	return []Cause{cause}
}}
