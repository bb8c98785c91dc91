package read

import (
	"strconv"
	"strings"

	"assay/incident"
)

// packetLoss parses ping's summary. If no packet came back, the other end may be off.
func (r *Reader) packetLoss(text string, n int) {
	head, _, _ := strings.Cut(text, "% packet loss")
	fields := strings.Fields(head)
	if len(fields) == 0 {
		return
	}
	if lost, err := strconv.ParseFloat(fields[len(fields)-1], 64); err == nil && lost > 0 && lost < 100 {
		r.event(incident.PacketLoss, "", lost, r.line, n)
	}
}

// manyFrames is a count of damaged frames that a good cable does not reach.
const manyFrames = 100

// damagedFrames parses counters of ethtool -S: "rx_crc_errors: 1234".
func (r *Reader) damagedFrames(text string, n int) {
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(part, ":")
		if !ok {
			name, value, ok = strings.Cut(strings.TrimSpace(part), " ")
		}
		name = strings.TrimSpace(name)
		if !ok || strings.ContainsRune(name, ' ') || !strings.Contains(name, "crc_err") && !strings.Contains(name, "fcs_err") {
			continue
		}
		if v, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && v >= manyFrames {
			r.event(incident.NICDamaged, iface(text), v, stamped{text: text}, n)
		}
	}
}

// muchStolen is the steal time, in percent, from which a guest notices that its
// hypervisor does not run it.
const muchStolen = 20

// topLine reads the steal time in top: "%Cpu(s): 5.0 us, …, 35.0 st".
func (r *Reader) topLine(text string, n int) {
	_, shares, _ := strings.Cut(text, "Cpu(s):")
	for _, share := range strings.Split(shares, ",") {
		value, is := strings.CutSuffix(strings.TrimSpace(share), "st")
		if v, err := strconv.ParseFloat(strings.Trim(value, " %"), 64); is && err == nil && v >= muchStolen && v <= 100 {
			r.event(incident.Stolen, "", v, stamped{text: text}, n)
		}
	}
}
