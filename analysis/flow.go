package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// bothWays parts a result of a link in which data flowed both ways at once into
// the one of each way, titled by its own ends; false for any other result.
func bothWays(r assay.Result) (there, back assay.Result, both bool) {
	s := r.Trial.Subject
	title, _ := linkTitle(r.Trial)
	if s.Kind != assay.KindLink {
		return r, r, false
	}
	there, back = oneWay(r, false), oneWay(r, true)
	if len(there.Repeats) == 0 || len(back.Repeats) == 0 {
		return r, r, false
	}
	there.Trial.Title = fmt.Sprintf("%s → %s on %s: %s", s.Host, s.Peer, s.Network, title)
	back.Trial.Title = fmt.Sprintf("%s → %s on %s: %s", s.Peer, s.Host, s.Network, title)
	return there, back, true
}

// oneWay leaves only the figures of one direction, and the repeats that have some.
func oneWay(r assay.Result, back bool) assay.Result {
	all := r.Repeats
	r.Repeats = nil
	for _, rep := range all {
		rep.Measurements = slices.DeleteFunc(slices.Clone(rep.Measurements), func(m assay.Measurement) bool {
			return (m.Labels["direction"] == "reverse") != back
		})
		if len(rep.Measurements) > 0 {
			r.Repeats = append(r.Repeats, rep)
		}
	}
	return r
}

// flowInWords says how many flows there were, what of the start does not count,
// and the way that was really taken.
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

// lineCeiling is what the line can carry as payload of TCP: the slower of the
// interfaces that the result names at its ends, or else the rate that somebody
// gave for the network, less what stands around the payload of each frame. nil
// where the rate or the size of a segment is not known.
func lineCeiling(f Figure, r assay.Result, inv assay.Inventory) *Ceiling {
	s := r.Trial.Subject
	counted := r.Counted()
	if s.Kind != assay.KindLink || len(counted) == 0 {
		return nil
	}
	flow := counted[0].Measurement(f.Metric)
	if flow == nil || strings.HasPrefix(flow.Labels["route"], "through ") {
		return nil // several links: which of them binds is not known
	}
	bits, said := lineRate(flow.Labels, inv)
	share, known := payloadShare(flow.Labels, counted[0])
	if bits <= 0 || !known {
		return nil
	}
	c := Ceiling{Name: quantity.Rate(bits) + said, Value: bits / 8 * share}
	c.Share = f.Value / c.Value
	return &c
}

// lineRate is the rate of the way between two hosts in bit/s, 0 where it is not
// known, and a word where it is not the interfaces but somebody who says so. Only an
// interface with a device behind it knows its speed: that of a veth is made up,
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

// What an Ethernet frame and its packet hold beside the payload, in B: preamble,
// header, checksum and gap of IEEE 802.3, then IPv4 (RFC 791) or IPv6 (RFC 8200),
// TCP (RFC 9293) and its timestamps (RFC 7323).
const (
	aroundPacket = 38
	headersIPv4  = 20 + 20 + 12
	headersIPv6  = 40 + 20 + 12
)

// payloadShare is the share of the line's time that carries payload: by the path
// MTU that the kernel used.
func payloadShare(labels map[string]string, rep assay.Repeat) (share float64, known bool) {
	mtu, err := strconv.ParseFloat(labels["pmtu"], 64)
	headers := float64(headersIPv4)
	if strings.Contains(labels["from_address"], ":") {
		headers = headersIPv6
	}
	if err != nil {
		m := rep.Measurement("net.tcp.mss")
		if m == nil {
			return 0, false
		}
		mtu = m.Value + headers
	}
	if mtu < 576 || mtu > 9216 { // what every host takes, and what switches take at most
		return 0, false
	}
	return (mtu - headers) / (mtu + aroundPacket), true
}
