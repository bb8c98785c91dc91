package audit

import (
	"fmt"

	"assay"
)

var udpLoss = Rule{
	ID: "udp-loss", Number: 98, Applies: "iperf3, iperf2", Severities: "W",
	Title:   "Lost UDP datagrams",
	Formula: "lost / sent > 1 %, in imported output; what assay runs itself is compared between its links instead; of five rows and more, whether 90 % of it was lost in the first",
	Source:  "RFC 2544, 26.1: throughput is the highest rate at which nothing is lost; ITU-T G.1010 lets video lose 1 %",
	Example: "14.3 % of the datagrams lost at 95.0 Mb/s",
	Check: func(e Evidence) []assay.Finding {
		const id = "udp-loss"
		var found []assay.Finding
		for _, f := range e.network() {
			lost, ok := f.median("net.udp.loss")
			if f.protocol != "udp" || !f.foreign() {
				continue
			}
			if !ok {
				found = append(found, f.unchecked(id, []string{f.metric}, "datagrams lost", "only the receiver knows them, and sends them to iperf3's client at the end: paste the summary"))
				continue
			}
			if !(lost > datagramLoss) || lost > 1 {
				continue
			}
			message := "the sender outran the path or the receiver: this is the sending rate, not the throughput"
			if lostAtFirst(f.ownSamples("net.udp.loss")) {
				message = "nearly all of it was lost in the first interval: the receiver was not ready yet (ARP, a buffer that grows); skip the first seconds and measure longer"
			}
			found = append(found, f.finding(id, assay.Warns, []string{"net.udp.loss", f.metric},
				fmt.Sprintf("%s of the datagrams lost at %s", percent(lost), bitRate(f.bits())), message,
				"lower the rate until nothing is lost (-b); if a fraction of the line is already too much, check the receiver's drops: nstat -az UdpRcvbufErrors; ethtool -S IFACE | grep -Ei 'err|drop'"))
		}
		return found
	},
}

// lostAtFirst reports whether nearly all losses were in the first of several rows of
// equal length.
func lostAtFirst(rows []float64) bool {
	if len(rows) < lossRows {
		return false
	}
	sum := 0.0
	for _, v := range rows {
		sum += v
	}
	return rows[0] > 0 && rows[0] >= lossFirst*sum
}
