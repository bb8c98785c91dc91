package analysis

import (
	"strings"

	"assay"
	"assay/internal/quantity"
	"assay/limits"
)

// Migrated is what it took to move a guest.
type Migrated struct {
	Title, Guest       string
	Duration, Downtime Figure
	Seen               *Figure  // downtime seen by ping; nil if there was no ping
	UDP, TCP           *Figure  // downtime seen by these; nil if nothing in the guest answered
	Stood              *Figure  // how long the guest's own clock stood still; nil if not known
	Write              *Figure  // the longest write in the guest; nil if nothing was written to a disk
	Disks              *Figure  // disk data sent; nil if its hosts share the disks
	Load, LoadDuring   *Figure  // memory changed by a load in the guest, before and during; nil if it had none
	Link               *Ceiling // its speed against the network's; nil if that has no rate
}

// Two downtimes differ if the difference exceeds both a share of the longer one and the
// hiccups of a busy host, in s.
const (
	differShare = .2
	differTime  = .02
)

func exceeds(longer, shorter float64) bool {
	return longer-shorter > max(differTime, differShare*longer)
}

// Disagrees reports whether the downtime that the hypervisor reports differs from the one
// seen by UDP.
func (m Migrated) Disagrees() bool {
	return m.UDP != nil && (exceeds(m.UDP.Value, m.Downtime.Value) || exceeds(m.Downtime.Value, m.UDP.Value))
}

// Found returns how long the network took to find the guest after it resumed; 0 if not known
// or negligible.
func (m Migrated) Found() float64 {
	if m.UDP == nil || m.Stood == nil || !exceeds(m.UDP.Value, m.Stood.Value) {
		return 0
	}
	return m.UDP.Value - m.Stood.Value
}

// Late reports whether TCP took longer than the guest.
func (m Migrated) Late() bool {
	return m.UDP != nil && m.TCP != nil && exceeds(m.TCP.Value, m.UDP.Value)
}

// Binds reports whether the link is the limit.
func (m Migrated) Binds() bool { return m.Link != nil && m.Link.Share > bindsFrom }

// migrations returns the measured migrations, one point each.
func (f Found) migrations() []Point {
	var out []Point
	for _, r := range f.rowsOf("migrations") {
		took, still := believed(r, "migration.duration"), believed(r, "migration.downtime")
		if took == nil || still == nil {
			continue
		}
		m := Migrated{Title: r.Title, Guest: r.Subject[strings.LastIndexByte(r.Subject, '/')+1:], Duration: *took, Downtime: *still,
			Seen: believed(r, "migration.downtime.seen"), UDP: believed(r, "migration.downtime.seen.udp"), TCP: believed(r, "migration.downtime.seen.tcp"),
			Stood: believed(r, "migration.clock.stood"), Write: believed(r, "migration.io.longest"),
			Disks: believed(r, "migration.disk.transferred"), Load: believed(r, "migration.load.before"), LoadDuring: believed(r, "migration.load.during"),
		}
		if speed := believed(r, "migration.throughput"); speed != nil {
			m.Link = speed.Ceiling
		}
		tone := Note
		if m.Binds() {
			tone = Limit
		}
		out = append(out, Point{tone, m})
	}
	return out
}

// migrationLine returns what the network used for the migration can carry, from its rate in
// cluster.yaml. Without an MTU, that is the rate itself.
func migrationLine(s assay.Subject, inv assay.Inventory) limits.Limit {
	for _, n := range inv.Networks {
		if s.Kind != assay.KindGuest || s.Network == "" || n.Name != s.Network || !(n.Rate > 0) {
			continue
		}
		limit := limits.Limit{Value: n.Rate / 8, Unit: assay.BytesPerSecond, Sum: quantity.Rate(n.Rate) + " / 8"}
		if n.MTU > 0 {
			limit = limits.Line(n.Rate, limits.TCPPacket(n.MTU, false, false))
		}
		limit.Name = quantity.Rate(n.Rate) + " as given"
		return limit
	}
	return limits.Limit{}
}
