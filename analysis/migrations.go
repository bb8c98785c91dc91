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
	Seen               *Figure  // downtime as a ping saw it; nil where nobody pinged
	UDP, TCP           *Figure  // as these saw it; nil where nothing in the guest answered
	Stood              *Figure  // for how long the guest's own clock stood still meanwhile; nil where that is not known
	Write              *Figure  // the longest write in the guest; nil where nothing was written to a disk
	Disks              *Figure  // what was sent of its disks; nil where its hosts share them
	Load, LoadDuring   *Figure  // memory that a load in the guest changed before and meanwhile; nil where it had none
	Link               *Ceiling // what its speed is of the network's; nil where that has no rate
}

// Two downtimes differ if they do so by more than a share of the longer, and by more than moments
// of a busy host, s.
const (
	differShare = .2
	differTime  = .02
)

func exceeds(longer, shorter float64) bool {
	return longer-shorter > max(differTime, differShare*longer)
}

// Disagrees reports whether the hypervisor's account is another than what was seen by UDP.
func (m Migrated) Disagrees() bool {
	return m.UDP != nil && (exceeds(m.UDP.Value, m.Downtime.Value) || exceeds(m.Downtime.Value, m.UDP.Value))
}

// Found is how long the network took to find the guest when that ran again; 0 where it is not
// known, or no time to speak of.
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

// Binds reports whether the link is what limits.
func (m Migrated) Binds() bool { return m.Link != nil && m.Link.Share > bindsFrom }

// migrations are those that were measured, a point each.
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

// migrationLine is what the network carries by which a guest was moved, as the cluster.yaml
// has its rate. Without its MTU that is the rate itself.
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
