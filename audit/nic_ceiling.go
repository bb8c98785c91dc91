package audit

import (
	"fmt"

	"assay"
	"assay/stats"
)

var nicCeiling = Rule{
	ID: "nic-ceiling", Number: 5, Applies: "iperf3, iperf2", Severities: "E",
	Title:   "Faster than the line",
	Formula: "payload > line x (MTU - 52) / (MTU + 38, + 4 with a VLAN tag) x 1.003, each direction; UDP: MTU - 28; IPv6: 20 less; one stream uses one member of a bond, several streams all of them. A printed segment size replaces MTU - 52; without one, nothing that TCP without timestamps could reach is rejected. The speed that a virtual machine's port states (vmxnet3, virtio_net, hv_netvsc, an emulated e1000) is none",
	Source:  "IEEE 802.3: 38 bytes around a frame's payload; IEEE 802.1Q: 4 of a tag; RFC 791, RFC 8200, RFC 9293, RFC 7323, RFC 768: headers of 20, 40, 20, 12 and 8 bytes",
	Example: "11.2 Gb/s against 10.0 Gb/s x 1,448/1,538 = 9.41 Gb/s: 1.19 x",
	Check:   checkNICCeiling,
}

func checkNICCeiling(e Evidence) []assay.Finding {
	const id = "nic-ceiling"
	var found []assay.Finding
	for _, f := range e.network() {
		if f.protocol == "udp" && f.of("side") == "sender" {
			continue // sent data may never have left the host
		}
		l, missing := f.line()
		if missing != "" {
			found = append(found, f.uncheckedNIC(id, missing))
			continue
		}
		bits := f.bits() - f.buffered()
		share := bits / l.ceiling
		switch {
		case !stats.Finite(share) || share <= nicSlack:
		case bits <= l.roof*nicSlack:
			found = append(found, f.unchecked(id, []string{f.metric}, "whether TCP used timestamps",
				"without them a segment holds 12 bytes more; the segment size shows it: "+f.command()))
		default:
			found = append(found, f.finding(id, assay.Rejects, []string{f.metric},
				fmt.Sprintf("%s against %s: %s", bitRate(bits), l.sum, times(share)),
				"faster than the line: the traffic did not cross this interface alone, or the interface is not what the facts say",
				"check which interface carries the traffic (ip route get "+f.peer()+"), then measure once more, bound to it: "+f.bound()))
		}
	}
	return found
}

// buffered returns how much of a sender's own figure may still be in its
// kernel, in bit/s: that never crossed the line.
func (f flow) buffered() float64 {
	seconds, ok := f.median("tool.duration")
	if f.of("side") != "sender" || !ok || !(seconds > 0) {
		return 0
	}
	return 8 * sendBuffer * float64(max(1, f.streams())) / seconds
}

// peer is the other end as a command line names it.
func (f flow) peer() string {
	_, other := f.ends()
	return orDefault(other, "HOST")
}

// bound is the flow's command bound to an interface address.
func (f flow) bound() string {
	if own, _ := f.ends(); own != "" {
		return f.command()
	}
	return f.command("-B ADDRESS")
}
