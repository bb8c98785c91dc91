package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// TierBind is what bounds one figure of a tier, as far as facts tell.
type TierBind struct {
	Column string      `json:"column"`
	Trial  string      `json:"trial"`
	Metric string      `json:"metric"`
	Value  float64     `json:"value"`  // B/s
	Limits []TierLimit `json:"limits"` // the least first
	// Share is the figure over the limit that Text names; 0 where it names none.
	Share   float64  `json:"share"`
	Missing []string `json:"missing"` // facts that would give further limits
	Kind    string   `json:"kind"`    // limit, note, doubt or next: as of a sentence of the verdict
	Text    string   `json:"text"`
}

// TierLimit is a bandwidth that hardware, or the load itself, allows.
type TierLimit struct {
	Name  string  `json:"name"`  // "1 GbE with two remote replicas"
	Sum   string  `json:"sum"`   // how it comes about, with the numbers in it
	Value float64 `json:"value"` // B/s
	// Load says that it is the load that allows no more, and no hardware.
	Load bool `json:"load,omitempty"`
	// Drive says that it is the link of a drive.
	Drive bool `json:"drive,omitempty"`
}

// What a figure's share of a limit means.
const (
	bindsFrom = .85 // from here on that limit is what binds
	farBelow  = .5  // below this share of all of them it is something else
	beyond    = 1.05
)

// binds says what bounds the large operations of each column. Of what is rejected
// nothing is said, but where it is the client that was the limit.
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

func (b *builder) bind(c TierColumn, r assay.Result, f Figure) TierBind {
	bind := TierBind{Column: c.Name, Trial: r.Trial.ID, Metric: f.Metric, Value: f.Value, Limits: []TierLimit{}, Missing: []string{}}
	if c.Kind == bucketVolume {
		b.clientLimits(&bind, c, r)
	} else {
		b.storageLimits(&bind, c, r)
	}
	if l := loadLimit(r, f.Metric); l != nil {
		bind.Limits = append(bind.Limits, *l)
	}
	slices.SortStableFunc(bind.Limits, func(x, y TierLimit) int { return cmp.Compare(x.Value, y.Value) })
	nearest := bind.nearest()
	if nearest != nil {
		bind.Share = f.Value / nearest.Value
	}
	bind.Kind, bind.Text = bind.sentence(c.Name, operations(r, f.Metric), nearest, b.clientBusy(r))
	return bind
}

// nearest is the limit to speak of: the least, but one of the load only where it
// binds, since every load has one; nil where none is known.
func (t TierBind) nearest() *TierLimit {
	for i, l := range t.Limits {
		if !l.Load || t.Value >= bindsFrom*l.Value {
			return &t.Limits[i]
		}
	}
	return nil
}

// storageLimits are the link of the drive under a file or device, and the network
// under storage that is replicated over it.
func (b *builder) storageLimits(bind *TierBind, c TierColumn, r assay.Result) {
	facts := b.run.Inventory.Facts[c.Host]
	if s := facts.Stack; s != nil {
		b.replicaLimit(bind, c, *s)
		return
	}
	link := linkUnder(facts, r.Trial.Subject.Name)
	if link == nil {
		link = linkOf(facts, r.Trial.Subject.Name)
	}
	switch {
	case link != nil:
		name := strings.ToUpper(link.Kind) + " " + link.Mode
		if link.Kind == "pcie" {
			name = "PCIe " + link.Mode
		}
		bind.Limits = append(bind.Limits, TierLimit{Name: name, Sum: link.Arithmetic(), Value: link.Ceiling, Drive: true})
	case c.Kind == "pvc":
		bind.Missing = append(bind.Missing, "how the storage class keeps its data: drive, replicas, and where they are")
	default:
		bind.Missing = append(bind.Missing, "link of the drive under it")
	}
}

// linkOf gives the link of a block device, or of the one drive under it.
func linkOf(f assay.Facts, path string) *assay.Link {
	for d := f.DeviceAt(path); d != nil; d = f.Device(d.On[0]) {
		if d.Link != nil && d.Link.Ceiling > 0 {
			return d.Link
		}
		if len(d.On) != 1 || d.On[0] == d.Name {
			return nil
		}
	}
	return nil
}

// replicaLimit is what the network allows storage whose client writes every copy
// itself, and waits for all of them: n / copies elsewhere. Longhorn reads from its
// replicas in turn, so that only the share of those elsewhere crosses the network
// (longhorn-engine, pkg/controller/replicator.go: WriteAt goes to all, ReadAt to
// the next); DRBD reads at home (DRBD user's guide, read balancing).
func (b *builder) replicaLimit(bind *TierBind, c TierColumn, s assay.StackFacts) {
	read := strings.Contains(bind.Metric, ".read.")
	switch {
	case s.Kind != "longhorn" && s.Kind != "drbd" || s.Protocol == "A":
		bind.Missing = append(bind.Missing, "how "+s.Kind+" uses the network")
		return
	case read && s.Kind == "drbd", s.Copies == 1 && s.Remote == 0:
		bind.Missing = append(bind.Missing, "link of the drive under its replica")
		return
	case s.Remote <= 0:
		bind.Missing = append(bind.Missing, "copies on other nodes")
		return
	case read && s.Copies < s.Remote:
		bind.Missing = append(bind.Missing, "number of copies")
		return
	}
	n, missing := b.goodput(c, read)
	if missing != "" {
		bind.Missing = append(bind.Missing, missing)
		return
	}
	replicas := prose.Number(s.Remote) + " remote replica"
	if s.Remote > 1 {
		replicas += "s"
	}
	l := TierLimit{Name: n.Name + " with " + replicas, Sum: n.Sum + " / " + strconv.Itoa(s.Remote), Value: n.Value / float64(s.Remote)}
	if read {
		l.Name = fmt.Sprintf("%s with %s of %s replicas remote", n.Name, prose.Number(s.Remote), prose.Number(s.Copies))
		l.Sum = fmt.Sprintf("%s × %d / %d", n.Sum, s.Copies, s.Remote)
		l.Value = n.Value * float64(s.Copies) / float64(s.Remote)
	}
	bind.Limits = append(bind.Limits, l)
}

// clientLimits are those of the client of an object store: all that it puts and
// gets crosses its link, but for a store on the same machine.
func (b *builder) clientLimits(bind *TierBind, c TierColumn, r assay.Result) {
	if s := r.Trial.Subject.Store; s != nil && slices.ContainsFunc(s.Endpoints, onLoopback) {
		bind.Missing = append(bind.Missing, "what is between a client and a store on one machine")
		return
	}
	n, missing := b.goodput(c, strings.Contains(bind.Metric, ".get."))
	if missing != "" {
		bind.Missing = append(bind.Missing, missing)
		return
	}
	n.Name += " of the client"
	bind.Limits = append(bind.Limits, n)
}

func onLoopback(endpoint string) bool {
	_, host, _ := strings.Cut(endpoint, "://")
	return strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "[::1]")
}

// goodput is what a column's host, or the node that its pod is on, sends or
// receives of payload: as it was measured on a link, else what its interface or
// its network can carry.
func (b *builder) goodput(c TierColumn, receives bool) (l TierLimit, missing string) {
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
			l = TierLimit{Name: text + " measured", Sum: fmt.Sprintf("%s from %s to %s / 8", text, s.Host, s.Peer), Value: v}
		}
	}
	if l.Value > 0 {
		return l, ""
	}
	for _, p := range places {
		if n := carrier(b.run.Inventory.Facts[p]); n.Speed > 0 && n.MTU > 0 {
			return lineLimit(n.Speed*float64(max(n.Members, 1)), float64(n.MTU), ""), ""
		}
	}
	for _, n := range b.run.Inventory.Networks {
		for _, p := range places {
			if n.Addresses[p] != "" && n.Rate > 0 && n.MTU > 0 {
				return lineLimit(n.Rate, float64(n.MTU), " as given"), ""
			}
		}
	}
	where := c.Host
	if c.Node != "" {
		where = c.Node
	}
	return l, "speed and MTU of " + where + "'s network interface"
}

// podsOn gives the hosts that are pods on a node: they share its line.
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

// lineLimit is what of TCP's payload a line carries in frames of one MTU.
func lineLimit(bits, mtu float64, said string) TierLimit {
	payload, frame := mtu-headersIPv4, mtu+aroundPacket
	return TierLimit{
		Name: quantity.Plain(bits/1e9) + " GbE" + said,
		Sum:  fmt.Sprintf("%s × %s/%s / 8", quantity.Rate(bits), quantity.Grouped(payload), quantity.Grouped(frame)), Value: bits / 8 * payload / frame,
	}
}

// carrier is the one interface that can have carried a host's traffic; none
// where there are several, or only ones that the kernel makes up.
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

// loadLimit is what so many in flight can move where each takes no less than the
// fastest did (Little's law); nil where that is not known.
func loadLimit(r assay.Result, metric string) *TierLimit {
	flight, size := inFlight(happenedTo(r, metric)), requestSize(r, metric)
	stem := metric[:strings.LastIndexByte(metric, '.')+1]
	least := middle(r, stem+"latency.min")
	if flight == 0 || size == 0 || !(least > 0) {
		return nil
	}
	return &TierLimit{
		Name: "its queue depth", Sum: fmt.Sprintf("%d × %s / %s", flight, quantity.Size(size), quantity.Duration(least)),
		Value: float64(flight) * float64(size) / least, Load: true,
	}
}

// clientBusy gives the number of the finding that the load generator itself was
// the bottleneck, 0 where there is none.
func (b *builder) clientBusy(r assay.Result) int {
	for _, n := range b.footnotes {
		if n.Rule == "client-saturated" && n.Subject == r.Trial.ID {
			return n.Number
		}
	}
	return 0
}
