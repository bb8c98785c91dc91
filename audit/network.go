package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/limits"
)

// network returns the results that measured a network other than the host's own
// loopback, which has no line rate.
func (e Evidence) network() []flow {
	var all []flow
	for _, l := range e.looks() {
		ways := oneWay(l)
		for _, way := range ways {
			f := flow{look: way, all: e.Inventory.Facts, oneOfTwo: len(ways) > 1}
			for _, protocol := range []string{"tcp", "udp"} {
				f.protocol, f.metric = protocol, "net."+protocol+".throughput"
				if way.positive(f.metric) && !f.loops() {
					all = append(all, f)
					break
				}
			}
		}
	}
	return all
}

// oneWay splits the look at a bidirectional link test into one per direction: a
// line carries its full rate each way.
func oneWay(l look) []look {
	if l.Trial.Subject.Kind != assay.KindLink || l.label("", "bidir") == "" {
		return []look{l}
	}
	var ways []look
	for _, direction := range []string{"forward", "reverse"} {
		var reps []assay.Repeat
		for _, r := range l.reps {
			r.Measurements = slices.DeleteFunc(slices.Clone(r.Measurements), func(m assay.Measurement) bool {
				return m.Labels["direction"] != direction
			})
			if len(r.Measurements) > 0 {
				reps = append(reps, r)
			}
		}
		if len(reps) > 0 {
			ways = append(ways, l.only(reps))
		}
	}
	return ways
}

// flow is a look at a network result.
type flow struct {
	look
	protocol string // tcp or udp
	metric   string // of its throughput
	all      map[string]assay.Facts
	oneOfTwo bool // the result has another direction
}

// of returns a label of the flow's figures.
func (f flow) of(key string) string { return f.label("", key) }

// bits returns the throughput in bit/s.
func (f flow) bits() float64 {
	v, _ := f.median(f.metric)
	return 8 * v
}

// loops reports whether the traffic stayed on the host.
func (f flow) loops() bool {
	from, to := f.of("from"), f.of("to")
	if f.of("route") == "local" {
		return true
	}
	local := func(host string) bool {
		return strings.HasPrefix(host, "127.") || host == "::1" || host == "localhost"
	}
	return from != "" && from == to || local(from) || local(to)
}

// streams returns the number of streams; 0 if unknown.
func (f flow) streams() int {
	n, _ := parseCount(f.of("streams"))
	return n
}

// bothWays reports whether the figure is the sum of two directions.
func (f flow) bothWays() bool {
	switch f.of("direction") {
	case "both", "bidir", "bidirectional":
		return true
	}
	return false
}

// held reports whether the tool was given a target bitrate.
func (f flow) held() bool {
	v := f.of("target_bitrate")
	return v != "" && v != "0"
}

const nicHint = "name the interface with its speed and MTU: ethtool and ip link show them"

// line is what a flow's path can carry.
type line struct {
	nic     assay.NICFacts
	speed   float64 // bit/s, of all usable links
	ceiling float64 // bit/s of payload
	roof    float64 // the ceiling without TCP timestamps, if nothing shows that they were on
	sum     string  // the ceiling's calculation
}

// line computes the ceiling from the slower end, among those with known facts.
func (f flow) line() (l line, missing string) {
	l.nic, missing = f.nic()
	ends := []string{f.of("from"), f.of("to")}
	for _, end := range ends {
		facts, ok := f.all[end]
		if !ok || end == f.Trial.Subject.Host {
			continue
		}
		facts = withoutNominalSpeeds(facts)
		other, wants := carrier(&facts, f.device(end))
		if wants == "" && (missing != "" || f.speed(other) < f.speed(l.nic)) {
			l.nic, missing = other, ""
		}
	}
	if missing != "" {
		return l, missing
	}
	packet, missing := f.packet(l.nic)
	if missing != "" {
		return l, missing
	}
	l.speed = f.speed(l.nic)
	l.ceiling = 8 * limits.Line(l.speed, packet).Value
	l.roof = l.ceiling
	if f.protocol == "tcp" && !f.hasMSS() {
		bare := packet
		bare.Headers -= limits.TCPTimestamps
		l.roof = 8 * limits.Line(l.speed, bare).Value
	}
	l.sum = fmt.Sprintf("%s x %s/%s = %s", f.links(l.nic), grouped(packet.Payload(), 0), grouped(packet.Frame(), 0), bitRate(l.ceiling))
	return l, ""
}

// speed returns the combined rate of the links that the flow could use, in
// bit/s: one stream uses one member of a bond.
func (f flow) speed(n assay.NICFacts) float64 {
	v := n.Speed
	if n.Members > 1 && f.streams() != 1 {
		v *= float64(n.Members)
	}
	if f.bothWays() {
		v *= 2
	}
	return v
}

// links formats that speed as a product.
func (f flow) links(n assay.NICFacts) string {
	text := bitRate(n.Speed)
	if n.Members > 1 && f.streams() != 1 {
		text = fmt.Sprintf("%d x %s", n.Members, text)
	}
	if f.bothWays() {
		text = "2 directions x " + text
	}
	return text
}

// packet returns a full packet of the flow. A printed segment size takes
// precedence over the interface's MTU: it is what was sent.
func (f flow) packet(n assay.NICFacts) (p limits.Packet, missing string) {
	if mss, ok := f.median("net.tcp.mss"); ok && f.hasMSS() {
		headers := f.headers(int(mss), n.MTU)
		return limits.Packet{MTU: int(mss) + headers, Headers: headers, VLAN: n.VLAN}, ""
	}
	if n.MTU < limits.SmallestMTU || n.MTU > largestSegment {
		return p, "MTU of " + orDefault(n.Name, "the interface")
	}
	p = limits.TCPPacket(n.MTU, f.ipv6(), n.VLAN)
	if f.protocol == "udp" {
		p.Headers += limits.UDPHeader - limits.TCPHeader - limits.TCPTimestamps
	}
	return p, ""
}

// hasMSS reports whether a segment size that is possible on Ethernet was
// printed.
func (f flow) hasMSS() bool {
	mss, ok := f.median("net.tcp.mss")
	least := limits.TCPPacket(limits.SmallestMTU, false, false).Payload()
	return ok && f.protocol == "tcp" && mss >= least && mss <= limits.LargestMTU
}

// headers returns the header size for such a segment: with timestamps, or
// without if only that fills the MTU, or a usual one.
func (f flow) headers(mss, mtu int) int {
	full := limits.TCPPacket(mtu, f.ipv6(), false).Headers
	bare := full - limits.TCPTimestamps
	for _, usual := range []int{mtu, usualMTU, 9000} {
		if mss+bare == usual {
			return bare
		}
	}
	return full
}

func (f flow) ipv6() bool {
	return slices.ContainsFunc([]string{"from", "to", "from_address", "to_address"}, func(end string) bool {
		return strings.Contains(f.of(end), ":")
	})
}

// command returns an iperf3 command that repeats the measurement, with more
// appended. HOST is left to fill in if unknown.
func (f flow) command(more ...string) string {
	own, host := f.ends()
	back := ""
	if f.of("direction") == "reverse" {
		back = "-R"
	}
	words := []string{"iperf3 -c", orDefault(host, "HOST")}
	if own != "" {
		words = append(words, "-B", own) // else it might use another NIC
	}
	words = append(words, "-t 30 -O 2 -J")
	switch {
	case f.of("bidir") != "":
		words = append(words, "--bidir")
	case back != "":
		words = append(words, back)
	}
	if f.protocol == "udp" {
		words = append(words, "-u -b", orDefault(f.of("target_bitrate"), "0"))
	}
	if n := f.streams(); n > 1 && !strings.Contains(strings.Join(more, " "), "-P") {
		words = append(words, "-P", strconv.Itoa(n))
	}
	return strings.Join(append(words, more...), " ")
}

// ends returns the client's address, "" if unknown, and the server's address or
// other name.
func (f flow) ends() (own, other string) {
	from, to := orDefault(f.of("from_address"), f.of("from")), orDefault(f.of("to_address"), f.of("to"))
	own, other = f.of("from_address"), to
	if f.of("direction") == "reverse" {
		own, other = f.of("to_address"), from
	}
	return own, other
}

// finding returns a finding about the flow, with the direction if the result
// has two.
func (f flow) finding(rule string, s assay.Severity, metrics []string, arithmetic, message, advice string) assay.Finding {
	if f.oneOfTwo {
		arithmetic = f.of("from") + " to " + f.of("to") + ": " + arithmetic
	}
	return f.look.finding(rule, s, metrics, arithmetic, message, advice)
}

// bitRate formats bit/s as is usual for networks: 9.40 Gb/s, 941 Mb/s.
func bitRate(v float64) string {
	switch {
	case v >= 1e9:
		return figure(v/1e9) + " Gb/s"
	case v >= 1e6:
		return figure(v/1e6) + " Mb/s"
	}
	return figure(v/1e3) + " kb/s"
}

// uncheckedNIC reports that a fact about the interface is missing.
func (f flow) uncheckedNIC(rule, missing string) assay.Finding {
	return f.unchecked(rule, []string{f.metric}, missing, nicHint)
}

// hostsOf returns the hosts of network results in order.
func hostsOf(flows []flow) []string {
	var hosts []string
	for _, f := range flows {
		if !slices.Contains(hosts, f.Trial.Subject.Host) {
			hosts = append(hosts, f.Trial.Subject.Host)
		}
	}
	return hosts
}
