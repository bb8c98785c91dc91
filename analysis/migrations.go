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
	Link               *Ceiling // what its speed is of the network's; nil where that has no rate
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
		m := Migrated{Title: r.Title, Guest: r.Subject[strings.LastIndexByte(r.Subject, '/')+1:], Duration: *took, Downtime: *still, Seen: believed(r, "migration.downtime.seen")}
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
