package audit

import (
	"fmt"

	"assay"
)

var lacpSingleFlow = Rule{
	ID: "lacp-single-flow", Number: 8, Applies: "iperf3, iperf2", Severities: "I",
	Title:   "A single flow over a bond",
	Formula: "one stream over a bond of several links: a flow stays on one of them to keep its packets in order",
	Source:  "IEEE 802.1AX: the frames of a conversation stay on one link; Linux bonding, xmit_hash_policy",
	Example: "1 stream over 2 x 10.0 Gb/s: at most 10.0 Gb/s of 20.0 Gb/s",
	Check:   checkLACPSingleFlow,
}

func checkLACPSingleFlow(e Evidence) []assay.Finding {
	const id = "lacp-single-flow"
	var found []assay.Finding
	for _, f := range e.network() {
		if f.streams() != 1 {
			continue
		}
		nic, missing := f.nic()
		if missing != "" && nic.Members <= 1 {
			if nic.Name == "" { // which NIC it was decides if it is a bond
				found = append(found, f.uncheckedNIC(id, missing))
			}
			continue
		}
		if nic.Members <= 1 {
			continue
		}
		arithmetic := fmt.Sprintf("1 stream over %d links: at most one of them", nic.Members)
		if nic.Speed > 0 {
			arithmetic = fmt.Sprintf("1 stream over %d x %s: at most %s of %s",
				nic.Members, bitRate(nic.Speed), bitRate(nic.Speed), bitRate(nic.Speed*float64(nic.Members)))
		}
		found = append(found, f.finding(id, assay.Informs, []string{f.metric}, arithmetic,
			"one flow cannot use more than one member of a bond: this says nothing about the others",
			"measure with several streams, where the bond's hash includes ports (xmit_hash_policy layer3+4): "+f.command("-P", fmt.Sprint(4*nic.Members))))
	}
	return found
}
