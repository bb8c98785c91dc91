package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/limits"
)

// bothWays splits a link result with data flowing both ways at once into one
// result per direction, each titled by its own ends; false for any other
// result.
func bothWays(r assay.Result) (there, back assay.Result, both bool) {
	s := r.Trial.Subject
	if s.Kind != assay.KindLink || !hasWay(&r, true) || !hasWay(&r, false) {
		return r, r, false
	}
	there, back = oneWay(r, false), oneWay(r, true)
	title, _ := linkTitle(r.Trial)
	there.Trial.Title = fmt.Sprintf("%s → %s on %s: %s", s.Host, s.Peer, s.Network, title)
	back.Trial.Title = fmt.Sprintf("%s → %s on %s: %s", s.Peer, s.Host, s.Network, title)
	return there, back, true
}

// hasWay reports whether a result has figures of a direction.
func hasWay(r *assay.Result, back bool) bool {
	for i := range r.Repeats {
		for k := range r.Repeats[i].Measurements {
			if isBack(&r.Repeats[i].Measurements[k]) == back {
				return true
			}
		}
	}
	return false
}

// isBack reports whether a figure is for the direction from the peer to the
// host.
func isBack(m *assay.Measurement) bool { return m.Labels["direction"] == "reverse" }

// oneWay keeps only the figures of one direction, and the repeats that have any.
func oneWay(r assay.Result, back bool) assay.Result {
	all := r.Repeats
	r.Repeats = nil
	for _, rep := range all {
		rep.Measurements = slices.DeleteFunc(slices.Clone(rep.Measurements), func(m assay.Measurement) bool {
			return isBack(&m) != back
		})
		if len(rep.Measurements) > 0 {
			r.Repeats = append(r.Repeats, rep)
		}
	}
	return r
}

// flowInWords describes the number of flows, the part of the start that is
// omitted, and the path actually taken.
func flowInWords(l map[string]string) []string {
	var words []string
	if n, err := strconv.Atoi(l["streams"]); err == nil && n > 0 {
		words = append(words, prose.Plural(n, "flow"))
	}
	if l["omit"] != "" && l["protocol"] == "tcp" {
		words = append(words, "without the first "+l["omit"]+" s")
	}
	if strings.HasPrefix(l["route"], "through ") {
		words = append(words, l["route"])
	}
	return words
}

// lineCeiling returns what the line can carry as TCP payload: the rate of the
// slower of the interfaces that the result names at its ends, or else the rate
// given for the network, less the overhead around each frame's payload. It
// returns nil if the rate or the segment size is not known.
func lineCeiling(f Figure, r assay.Result, inv assay.Inventory) *Ceiling {
	s := r.Trial.Subject
	counted := r.Counted()
	if s.Kind != assay.KindLink || len(counted) == 0 {
		return nil
	}
	flow := counted[0].Measurement(f.Metric)
	if flow == nil || strings.HasPrefix(flow.Labels["route"], "through ") {
		return nil // several links: unknown which one limits
	}
	bits, said := lineRate(flow.Labels, inv)
	packet, known := packetOf(flow.Labels, counted[0], inv)
	if !known {
		return nil
	}
	limit := limits.Line(bits, packet)
	limit.Name = quantity.Rate(bits) + said
	return f.under(limit)
}

// lineRate returns the rate of the path between two hosts in bit/s, or 0 if it is
// not known, and a word if the rate was given by the user and not by the interfaces.
// Only an interface backed by a device knows its speed: that of a veth is made up,
// and that of a bridge is of one of its ports.
func lineRate(labels map[string]string, inv assay.Inventory) (bits float64, said string) {
	known := 0
	for _, end := range [][2]string{{labels["from"], labels["interface"]}, {labels["to"], labels["peer_interface"]}} {
		for _, n := range inv.Facts[end[0]].NICs {
			if n.Name == end[1] && !n.Virtual && n.Speed > 0 {
				known++
				if bits == 0 || n.Speed < bits {
					bits = n.Speed
				}
			}
		}
	}
	if known == 2 {
		return bits, ""
	}
	for _, n := range inv.Networks {
		if n.Name == labels["network"] && n.Rate > 0 {
			if bits == 0 || n.Rate < bits {
				return n.Rate, " as given"
			}
		}
	}
	return bits, ""
}

// packetOf returns a full-size packet of a flow, by the path MTU that the
// kernel used.
func packetOf(labels map[string]string, rep assay.Repeat, inv assay.Inventory) (p limits.Packet, known bool) {
	tagged := slices.ContainsFunc(inv.Facts[labels["from"]].NICs, func(n assay.NICFacts) bool {
		return n.Name == labels["interface"] && n.VLAN
	})
	mtu, err := strconv.Atoi(labels["pmtu"])
	p = limits.TCPPacket(mtu, strings.Contains(labels["from_address"], ":"), tagged)
	if err != nil {
		m := rep.Measurement("net.tcp.mss")
		if m == nil {
			return p, false
		}
		p.MTU = int(m.Value) + p.Headers
	}
	return p, p.MTU >= limits.SmallestMTU && p.MTU <= limits.LargestMTU
}
