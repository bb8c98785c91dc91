package report

import (
	"cmp"
	"fmt"
	"strconv"

	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// signText describes the sign of a fault: "host3 loses incoming packets on
// storage: 3,500 to 10,600 retransmits on each of 3 paths, at most 150
// elsewhere."
func signText(s analysis.Sign) string {
	if s.Metric == "net.path_mtu" {
		return fmt.Sprintf("%s packets of at most %s on %s, other paths carry %s.",
			signSubject(s, "carries", "sends and receives", "sends", "receives"), signRange(s), s.Network, signValue(s.Metric, s.Others))
	}
	if s.Metric == "net.rtt.duplicates" {
		return fmt.Sprintf("%s on %s: %s%s are answered twice, at most %s elsewhere.",
			signSubject(s, "duplicates packets", "has its packets duplicated", "has its outgoing packets duplicated", "has its incoming packets duplicated"),
			s.Network, signRange(s), onPaths(s), signValue(s.Metric, s.Others))
	}
	if s.Metric == "net.rtt.stddev" {
		return fmt.Sprintf("%s round trips that vary by %s on %s, at most %s elsewhere.", signSubject(s, "has", "has", "has", "has"), signRange(s), s.Network, signValue(s.Metric, s.Others))
	}
	if s.Metric == "net.tcp.mss" {
		return fmt.Sprintf("%s TCP segments of only %s on %s, other paths carry %s.",
			signSubject(s, "carries", "sends and receives", "sends", "receives"), signRange(s), s.Network, signValue(s.Metric, s.Others))
	}
	return fmt.Sprintf("%s on %s: %s%s, at most %s elsewhere.",
		signSubject(s, "loses packets", "loses packets in both directions", "loses outgoing packets", "loses incoming packets"),
		s.Network, signRange(s), onPaths(s), signValue(s.Metric, s.Others))
}

// signCause says the same about a host or path that is already named.
func signCause(s analysis.Sign) string {
	if s.Metric == "net.path_mtu" {
		return fmt.Sprintf("it carries packets of at most %s, other paths %s", signRange(s), signValue(s.Metric, s.Others))
	}
	if s.Metric == "net.rtt.duplicates" {
		return fmt.Sprintf("its packets arrive twice (%s)", lossCount(s))
	}
	if s.Metric == "net.rtt.stddev" {
		return fmt.Sprintf("its round trips vary by %s, others by at most %s", signRange(s), signValue(s.Metric, s.Others))
	}
	if s.Metric == "net.tcp.mss" {
		what := map[analysis.Ways]string{analysis.FromHost: "the TCP segments that it sends", analysis.ToHost: "the TCP segments that it receives"}
		return fmt.Sprintf("%s carry only %s, those on other paths %s", cmp.Or(what[s.Ways], "its TCP segments"), signRange(s), signValue(s.Metric, s.Others))
	}
	return fmt.Sprintf("it loses packets (%s)", lossCount(s))
}

// lossCount says how many there are, and how many elsewhere.
func lossCount(s analysis.Sign) string {
	return fmt.Sprintf("%s%s, at most %s elsewhere", signRange(s), onPaths(s), signValue(s.Metric, s.Others))
}

// signSubject says who does what: a path, or a host in both directions, sending, or
// receiving.
func signSubject(s analysis.Sign, path, both, sends, receives string) string {
	switch s.Ways {
	case analysis.BothOfPath:
		return fmt.Sprintf("The path between %s and %s %s", s.Host, s.Peer, path)
	case analysis.OneOfPath:
		return fmt.Sprintf("The path from %s to %s %s", s.Host, s.Peer, path)
	case analysis.FromHost:
		return s.Host + " " + sends
	case analysis.ToHost:
		return s.Host + " " + receives
	}
	return s.Host + " " + both
}

func onPaths(s analysis.Sign) string {
	if s.Paths < 2 {
		return ""
	}
	return " on each of " + prose.Plural(s.Paths, "path")
}

// signRange returns the range of the paths' figures, with what they count.
func signRange(s analysis.Sign) string {
	from, to := signValue(s.Metric, s.Least), signValue(s.Metric, s.Greatest)
	if from != to {
		to = from + " to " + to
	}
	switch s.Metric {
	case "net.tcp.retransmits":
		return to + " retransmits"
	case "net.udp.loss":
		return to + " of all datagrams"
	case "net.rtt.loss", "net.rtt.duplicates":
		return to + " of all pings"
	}
	return to
}

func signValue(metric string, v float64) string {
	switch metric {
	case "net.tcp.retransmits":
		return quantity.Grouped(v)
	case "net.path_mtu", "net.tcp.mss":
		return strconv.Itoa(int(v)) + " bytes"
	}
	return quantity.Of(metric, v)
}
