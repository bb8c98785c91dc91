package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/internal/quantity"
	"assay/limits"
	"assay/plan/multiclient"
)

// TierBind is what bounds one figure of a tier, as far as the facts tell.
type TierBind struct {
	Column  string
	Trial   string
	Metric  string
	Value   float64     // B/s
	Random  bool        // the pattern, except for objects
	Size    int64       // B per operation
	Limits  []TierLimit // the least first
	Nearest *TierLimit  // the one to report; nil if none
	Share   float64     // the figure over Nearest; 0 without one
	Missing []string    // facts that would give further limits
	Busy    int         // number of the finding that the client was the bottleneck; 0 if none
	// Pool marks replicated storage of several drives and nodes, for which every limit
	// is worth reporting.
	Pool bool
	// Holders are the busiest resources of the hosts that hold the pool's data.
	Holders []HolderLoad
	// InFlight is the number of operations in flight on all clients; 0 if unknown.
	// Predicted is what that many move at the mean latency, in B/s; 0 if unknown.
	InFlight  int
	Predicted float64
	// Saturated is the number of clients beyond which more add nothing; 0 if not
	// reached.
	Saturated int
	Says      Binding
}

// Binding is what a figure's limits mean for it.
type Binding int

const (
	// NoLimit means that none is known.
	NoLimit Binding = iota
	// ClientBinds means that the client's own CPU was the bottleneck.
	ClientBinds
	// HolderBinds means that a host that holds the pool's data was saturated.
	HolderBinds
	// BeyondLimit means that the figure exceeds the limit, so the limit is
	// wrong.
	BeyondLimit
	// LimitBinds means that the figure is close to the limit.
	LimitBinds
	// FarBelow means that all limits are known and the figure is far below them.
	FarBelow
	// BelowLimit means that the limit is the nearest known one.
	BelowLimit
)

// TierLimit is a bandwidth that the hardware, or the load itself, allows.
type TierLimit struct {
	Name  string  `json:"name"`  // "1 GbE with two remote replicas"
	Sum   string  `json:"sum"`   // how it comes about, with the numbers in it
	Value float64 `json:"value"` // B/s
	// Load means that the limit comes from the load, not from hardware.
	Load bool `json:"load,omitempty"`
	// Drive means that the limit is a drive's link.
	Drive bool `json:"drive,omitempty"`
}

// Thresholds for a figure's share of a limit.
const (
	bindsFrom = .85 // from here on the limit binds
	farBelow  = .5  // below this share of all limits, something else binds
	beyond    = 1.05
)

// binds returns what bounds the large operations of each column. Rejected figures
// are skipped, unless the client was the limit.
func (b *builder) binds(columns []TierColumn, cases []tierCase) []TierBind {
	var out []TierBind
	for i, c := range columns {
		for _, k := range cases {
			r := k.results[i]
			for _, f := range tierFigures(r) {
				if !f.headline || !strings.HasSuffix(f.metric, ".bandwidth") && !strings.HasSuffix(f.metric, ".throughput") {
					continue
				}
				if cell := b.tierCell(r, f, c.Host); cell.Figure != nil && (!cell.Figure.Rejected || b.clientBusy(*r) > 0) && !fromPageCache(*r) {
					out = append(out, b.bind(c, *r, *cell.Figure))
				}
			}
		}
	}
	return out
}

// bindsTogether returns what bounds the large operations of the most hosts at once
// that have a trusted total. Hosts that share nothing are bounded individually.
func (b *builder) bindsTogether(curves []ScalingCurve) []TierBind {
	var out []TierBind
	for _, c := range curves {
		i := slices.IndexFunc(c.Points, func(p ScalingPoint) bool { return p.Hosts == c.Growth.Last })
		if c.Unit != assay.BytesPerSecond || i < 0 || c.Growth.Last < 2 {
			continue
		}
		r := b.result(c.Points[i].Trial)
		first := r.Trial.Subject.Host
		if b.stackOf(r.Trial.Subject) == nil {
			continue
		}
		bind := b.bind(TierColumn{Name: fmt.Sprintf("%s, %d hosts at once", c.Tier, c.Growth.Last), Tier: c.Tier, Host: first}, r, *c.Points[i].Figure)
		bind.Saturated = c.Saturated
		if len(bind.Limits) > 0 {
			out = append(out, bind)
		}
	}
	return out
}

// bindsAlone returns what bounds the large operations of a pool with one client, for which
// nothing shows how it scales.
func (b *builder) bindsAlone() []TierBind {
	var out []TierBind
	for _, t := range b.run.Inventory.Tiers {
		if len(t.Hosts) != 1 {
			continue
		}
		c := TierColumn{Name: t.Name, Tier: t.Name, Host: t.Hosts[0]}
		for _, r := range b.run.Results {
			if r.Trial.Subject.Kind != assay.KindPool || r.Trial.Subject.Tier != t.Name {
				continue
			}
			for _, metric := range r.Headlines() {
				if !strings.HasSuffix(metric, ".bandwidth") {
					continue
				}
				one := []Figure{figure(metric, "bandwidth", r.Values(metric), measured(r))}
				if b.mark(r.Trial.ID, one); !one[0].Rejected {
					out = append(out, b.bind(c, r, one[0]))
				}
			}
		}
	}
	return out
}

func (b *builder) bind(c TierColumn, r assay.Result, f Figure) TierBind {
	bind := TierBind{
		Column: c.Name, Trial: r.Trial.ID, Metric: f.Metric, Value: f.Value, Size: requestSize(r, f.Metric), Busy: b.clientBusy(r),
		Random: strings.HasPrefix(happenedTo(r, f.Metric)["pattern"], "rand") || labelsOf(r, f.Metric)["op"] == "rand",
	}
	if c.Kind == bucketVolume {
		b.clientLimits(&bind, c, r)
	} else {
		b.storageLimits(&bind, c, r)
	}
	bind.InFlight = multiclient.Hosts(r.Trial) * inFlight(happenedTo(r, f.Metric))
	if l := limits.InFlight(bind.InFlight, bind.Size, middle(r, strings.TrimSuffix(f.Metric, "bandwidth")+"latency.mean")); l.Known() {
		bind.Predicted = l.Value
	}
	if l := loadLimit(r, f.Metric); l.Known() {
		bind.Limits = append(bind.Limits, TierLimit{Name: "its queue depth", Sum: l.Sum, Value: l.Value, Load: true})
	}
	order.Stable(bind.Limits, func(x, y TierLimit) int { return cmp.Compare(x.Value, y.Value) })
	if bind.Nearest = bind.nearest(); bind.Nearest != nil {
		bind.Share = f.Value / bind.Nearest.Value
	}
	bind.Says = bind.binding()
	return bind
}

// binding returns what the share of the nearest limit means.
func (t TierBind) binding() Binding {
	switch {
	case t.Busy > 0:
		return ClientBinds
	case bindingOf(t.Holders) != nil:
		return HolderBinds
	case t.Nearest == nil:
		return NoLimit
	case t.Share > beyond:
		return BeyondLimit
	case t.Share >= bindsFrom:
		return LimitBinds
	case t.Share < farBelow && len(t.Missing) == 0:
		return FarBelow
	}
	return BelowLimit
}

// nearest returns the limit to report: the lowest, but a load limit only if it
// binds, since every load has one; nil if none is known.
func (t TierBind) nearest() *TierLimit {
	for i, l := range t.Limits {
		if !l.Load || t.Value >= bindsFrom*l.Value {
			return &t.Limits[i]
		}
	}
	return nil
}

// storageLimits adds the link of the drive under a file or device, or the network
// under replicated storage.
func (b *builder) storageLimits(bind *TierBind, c TierColumn, r assay.Result) {
	facts := b.run.Inventory.Facts[c.Host]
	if stack := b.stackOf(r.Trial.Subject); stack != nil && !b.underReplicated(r.Trial.Subject) {
		s := b.withDrives(*stack)
		bind.Pool, bind.Holders = s.Kind == "ceph", b.holders(r, s.Disks)
		read := strings.Contains(bind.Metric, ".read.")
		known, missing := limits.Replicated(s, b.replicationLink(c, r.Trial.Subject, read), b.copiesLink(s), !read, multiclient.Hosts(r.Trial))
		for _, l := range known {
			bind.add(l)
		}
		bind.Missing = append(bind.Missing, missing...)
		return
	}
	links := limits.Drives(drivesUnder(facts, r.Trial.Subject.Name))
	switch {
	case links.Known():
		bind.add(links)
		bind.Limits[len(bind.Limits)-1].Drive = true
	case c.Kind == "pvc":
		bind.Missing = append(bind.Missing, "how the storage class stores its data: drive, replicas and their placement")
	default:
		bind.Missing = append(bind.Missing, "link of the underlying drive")
	}
}

// add adds a limit, or the name of the fact it lacks.
func (t *TierBind) add(l limits.Limit) {
	if !l.Known() {
		t.Missing = append(t.Missing, l.Missing)
		return
	}
	t.Limits = append(t.Limits, TierLimit{Name: l.Name, Sum: l.Sum, Value: l.Value})
}

// clientLimits adds those of an object store's client: all it puts and gets
// crosses its link, unless the store is on the same machine.
func (b *builder) clientLimits(bind *TierBind, c TierColumn, r assay.Result) {
	if s := r.Trial.Subject.Store; s != nil && slices.ContainsFunc(s.Endpoints, onLoopback) {
		bind.Missing = append(bind.Missing, "the path between a client and a store on the same machine")
		return
	}
	n := b.goodput(c, strings.Contains(bind.Metric, ".get."))
	n.Name += " of the client"
	bind.add(n)
}

func onLoopback(endpoint string) bool {
	_, host, _ := strings.Cut(endpoint, "://")
	return strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "[::1]")
}

// goodput returns the payload rate that a column's host, or its pod's node,
// sends or receives: as measured on a link, else what its interface or network
// can carry.
func (b *builder) goodput(c TierColumn, receives bool) (l limits.Limit) {
	places := []string{c.Host}
	if c.Node != "" {
		places = append(places, c.Node)
		places = append(places, b.podsOn(c.Node)...)
	}
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		end := s.Host
		if receives {
			end = s.Peer
		}
		if s.Kind != assay.KindLink || !slices.Contains(places, end) || rejectedFigure(b.run, r.Trial.ID, "net.tcp.throughput") {
			continue
		}
		if v := middle(oneWay(r, false), "net.tcp.throughput"); v > l.Value {
			text := quantity.Of("net.tcp.throughput", v)
			l = limits.Limit{Name: text + " measured", Sum: fmt.Sprintf("%s from %s to %s / 8", text, s.Host, s.Peer), Value: v, Unit: assay.BytesPerSecond}
		}
	}
	if l.Known() {
		return l
	}
	for _, p := range places {
		if n := limits.NIC(carrier(b.run.Inventory.Facts[p])); n.Known() {
			return n
		}
	}
	for _, n := range b.run.Inventory.Networks {
		for _, p := range places {
			if n.Addresses[p] != "" && n.Rate > 0 && n.MTU > 0 {
				l = limits.Line(n.Rate, limits.TCPPacket(n.MTU, false, false))
				l.Name += " as given"
				return l
			}
		}
	}
	where := c.Host
	if c.Node != "" {
		where = c.Node
	}
	return limits.Limit{Missing: "speed and MTU of " + where + "'s network interface"}
}

// replicationLink returns goodput on the network over which a storage's replicas are written,
// if the facts show which that is.
func (b *builder) replicationLink(c TierColumn, s assay.Subject, receives bool) limits.Limit {
	between := b.betweenReplicas(s)
	best := 0.
	for _, network := range between {
		best = max(best, b.linkRate(c.Host, network))
	}
	if best > 0 {
		text := quantity.Of("net.tcp.throughput", best)
		return limits.Limit{Name: text + " measured", Sum: text + " / 8", Value: best, Unit: assay.BytesPerSecond}
	}
	if stack := b.stackOf(s); between != nil {
		if n := ownLine(nicOf(b.run.Inventory.Facts[c.Host], stack.ClusterNIC)); n.Known() {
			return n
		}
	}
	return b.goodput(c, receives)
}

// podsOn returns the hosts that are pods on a node: they share its link.
func (b *builder) podsOn(node string) []string {
	var hosts []string
	for _, t := range b.run.Inventory.Tiers {
		for _, h := range t.Hosts {
			if t.Nodes[h] == node {
				hosts = append(hosts, h)
			}
		}
	}
	return hosts
}

// carrier returns the only interface that can have carried a host's traffic;
// empty if there are several, or only virtual ones.
func carrier(f assay.Facts) assay.NICFacts {
	var found, bonds []assay.NICFacts
	for _, n := range f.NICs {
		switch {
		case n.State != "" && n.State != "up" && n.State != "unknown":
		case n.Members > 1:
			bonds = append(bonds, n)
		case !n.Virtual:
			found = append(found, n)
		}
	}
	switch {
	case len(bonds) == 1 && len(found) <= bonds[0].Members:
		return bonds[0]
	case len(bonds) == 0 && len(found) == 1:
		return found[0]
	}
	return assay.NICFacts{}
}

// loadLimit returns what that many in flight can move if each takes at least as
// long as the fastest did.
func loadLimit(r assay.Result, metric string) limits.Limit {
	stem := metric[:strings.LastIndexByte(metric, '.')+1]
	return limits.InFlight(multiclient.Hosts(r.Trial)*inFlight(happenedTo(r, metric)), requestSize(r, metric), middle(r, stem+"latency.min"))
}

// clientBusy returns the number of the finding that the load generator itself was
// the bottleneck, 0 if there is none.
func (b *builder) clientBusy(r assay.Result) int {
	for _, n := range b.footnotes {
		if n.Rule == "client-saturated" && n.Subject == r.Trial.ID {
			return n.Number
		}
	}
	return 0
}
