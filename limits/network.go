package limits

import (
	"fmt"

	"assay"
	"assay/internal/quantity"
)

// What a frame and its packet hold besides the payload, in B.
const (
	// Around the packet: preamble 8, header 14, checksum 4, gap between frames 12
	// (IEEE 802.3). A VLAN tag is 4 more (IEEE 802.1Q).
	FrameOverhead = 38
	VLANTag       = 4
	// IPv4 20 (RFC 791), or IPv6 40 (RFC 8200); TCP 20 (RFC 9293), its timestamps
	// option 12 with the padding (RFC 7323); UDP 8 (RFC 768).
	IPv4Header    = 20
	IPv6Header    = 40
	TCPHeader     = 20
	TCPTimestamps = 12
	UDPHeader     = 8
)

// SmallestMTU is what every host must accept (RFC 791), LargestMTU the largest
// jumbo frame of switches.
const (
	SmallestMTU = 576
	LargestMTU  = 9216
)

// Packet is a full packet on an Ethernet.
type Packet struct {
	MTU     int
	Headers int // inside the packet, before the payload
	VLAN    bool
}

// TCPPacket returns a TCP packet with timestamps, as hosts send them.
func TCPPacket(mtu int, ipv6, vlan bool) Packet {
	headers := IPv4Header + TCPHeader + TCPTimestamps
	if ipv6 {
		headers += IPv6Header - IPv4Header
	}
	return Packet{MTU: mtu, Headers: headers, VLAN: vlan}
}

// Payload returns the payload of a packet, in B.
func (p Packet) Payload() float64 { return float64(p.MTU - p.Headers) }

// Frame returns the line time that a packet takes, in B.
func (p Packet) Frame() float64 {
	frame := p.MTU + FrameOverhead
	if p.VLAN {
		frame += VLANTag
	}
	return float64(frame)
}

// Line returns the payload rate, in one direction, of a line of that many
// bit/s.
func Line(bits float64, p Packet) Limit {
	switch {
	case !(bits > 0):
		return missing("speed of the network interface", "ethtool shows it")
	case p.MTU <= p.Headers:
		return missing("MTU of the network interface", "ip link shows it")
	}
	return Limit{
		Name: Ethernet(bits), Value: bits / 8 * p.Payload() / p.Frame(), Unit: assay.BytesPerSecond,
		Sum: fmt.Sprintf("%s x %s/%s / 8", quantity.Rate(bits), quantity.Full(p.Payload(), 0), quantity.Full(p.Frame(), 0)),
	}
}

// Ethernet returns the name of a line of that many bit/s: 10 GbE, 100 MbE.
func Ethernet(bits float64) string {
	if bits < 1e9 {
		return quantity.Plain(bits/1e6) + " MbE"
	}
	return quantity.Plain(bits/1e9) + " GbE"
}

// NIC returns the TCP payload rate of an interface in one direction: of all
// members of a bond together.
func NIC(n assay.NICFacts) Limit {
	return Line(n.Rate(), TCPPacket(n.MTU, false, n.VLAN))
}

// Uplink returns the line rate, headers included, of the fastest interface that
// is up: a time derived from it is the shortest possible.
func Uplink(f assay.Facts) Limit {
	best := missing("speed of the network interface", "ethtool shows it")
	for _, n := range f.NICs {
		bits := n.Rate()
		if n.Virtual || n.State != "" && n.State != "up" || bits/8 <= best.Value {
			continue
		}
		best = Limit{Name: Ethernet(bits), Value: bits / 8, Unit: assay.BytesPerSecond, Sum: quantity.Rate(bits) + " / 8"}
	}
	return best
}

// EthernetSpeeds lists the speeds of Ethernet, in bit/s.
var EthernetSpeeds = []float64{10e6, 100e6, 1e9, 2.5e9, 5e9, 10e9, 25e9, 40e9, 50e9, 100e9, 200e9, 400e9}

// fullLine is the share of a line's payload rate from which the line looks like
// the limit.
const fullLine = .9

// LikeALine returns the Ethernet speed that a throughput in B/s looks like, or 0
// for none. It considers only speeds below 50 Gb/s: faster lines are as often
// limited by something else.
func LikeALine(throughput float64) (bits float64) {
	for _, speed := range EthernetSpeeds {
		least := fullLine * Line(speed, TCPPacket(1500, false, false)).Value
		if speed < 50e9 && throughput >= least && 8*throughput < speed {
			return speed
		}
	}
	return 0
}
