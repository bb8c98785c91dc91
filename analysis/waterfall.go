package analysis

import (
	"cmp"
	"maps"
	"slices"

	"assay"
	"assay/limits"
	"assay/stats"
)

// Waterfall is where the time of one operation at depth 1 goes: what each storage
// layer adds to the one below it.
type Waterfall struct {
	Top    string // the layer above all others
	Load   LayerLoad
	Size   int64        // B
	Mean   bool         // uses means: there is no median, or it hides the waiting
	Layers []LayerTotal // the lowest first
	Steps  []LayerStep  // they add up to the latency of the last layer
	Left   []LayerLeft
	Assume []string  // assumptions about the layer order, beyond the facts
	Model  *Modelled // nil if no model covers the stack
	Trip   *Trip     // nil if the last layer sends nothing to other nodes, or the distance was not measured
}

// Trip sets the path to the other replicas beside the cost of replication: the steps of
// the last layer.
type Trip struct {
	Layer   string
	Over    string         // the interface, or the network name in cluster.yaml
	RTT     float64        // s, the longest median
	Replica stats.Interval // s, what the last layer adds to the one below
	Peer    *PeerStorage   // nil if the replicas' other hosts were not measured
}

// PeerStorage is the slowest storage that a replica on another host may use, for the same
// operation.
type PeerStorage struct {
	Name    string
	Latency float64 // s
	Beyond  float64 // s, more than the local replica's storage takes
}

// PeerShare is the share of the replication cost due to slower storage on the peer, at most
// 1; 0 if it is not slower, or was not measured.
func (t Trip) PeerShare() float64 {
	if t.Peer == nil {
		return 0
	}
	return max(min(t.Peer.Beyond/t.Replica.Center, 1), 0)
}

// Share is the share of one round trip in the replication cost, at most 1. No write that
// waits for a replica takes less than one round trip.
func (t Trip) Share() float64 { return min(t.RTT/t.Replica.Center, 1) }

// Unclear reports whether replication may cost nothing.
func (t Trip) Unclear() bool {
	return t.Replica.Center <= 0 || t.Replica.Level > 0 && t.Replica.Low <= 0
}

// LayerLoad is the operation measured at each layer.
type LayerLoad string

// The loads, all at depth 1.
const (
	LayerRead    LayerLoad = "read"
	LayerWrite   LayerLoad = "write"
	LayerDurable LayerLoad = "synchronous write"
)

// LayerTotal is a layer including everything below it.
type LayerTotal struct {
	Name, Trial        string
	Latency, P99, P999 float64 // s; 0: not measured
	IOPS               float64
	Lost               float64 // IOPS lost against the layer below
}

// LayerStep is a part of the latency.
type LayerStep struct {
	Layer string
	Part  StepPart
	Cost  stats.Interval // s
	Share float64        // of the whole latency
	Pairs int            // repeats behind the difference
}

// Unclear reports whether the step may cost nothing: its interval includes 0.
func (s LayerStep) Unclear() bool { return s.Cost.Level > 0 && s.Cost.Low <= 0 && s.Cost.High >= 0 }

// Rest is the share of the whole that the steps do not account for: medians of
// differences need not add up, and do not if repeats scatter.
func (w Waterfall) Rest() float64 {
	rest := 1.
	for _, s := range w.Steps {
		rest -= s.Share
	}
	return rest
}

// StepPart is the part of a layer's operation that a step covers.
type StepPart string

// The parts. A layer whose writes were measured with and without a flush has two.
const (
	WholeStep StepPart = ""
	PathStep  StepPart = "write"
	FlushStep StepPart = "flush"
)

// LayerLeft is a layer left out of the sum.
type LayerLeft struct{ Name, Why string }

// Modelled is what the physics of replicated storage predicts from the layers below
// and the network, without the software's own time.
type Modelled struct {
	limits.Latency
	Residual float64 // (measured - predicted) / measured
}

// Unexplained is the residual from which a model fails to explain the measurement.
const Unexplained = .15

// waterfalls finds the stacks of a run and breaks each down from the highest storage that
// has a figure.
func (b *builder) waterfalls() []Waterfall {
	nodes := b.layerNodes()
	var out []Waterfall
	for i := range nodes {
		top := &nodes[i]
		stack, assumed := b.stackUnder(top, nodes)
		for _, load := range []LayerLoad{LayerRead, LayerDurable, LayerWrite} {
			if slices.ContainsFunc(nodes, func(n layerNode) bool { return n.measured(load) && b.standsOn(n.subject, top.subject) }) {
				continue
			}
			w := b.waterfall(load, stack)
			if w == nil || load == LayerWrite && (top.cached || slices.ContainsFunc(out, func(o Waterfall) bool { return o.Top == top.name && o.Load == LayerDurable })) {
				continue
			}
			w.Assume = assumed
			w.Model = b.modelled(*w, stack, nodes)
			w.Trip = b.tripOf(*w, stack, nodes)
			out = append(out, *w)
		}
	}
	return out
}

// waterfall breaks down one load; nil if fewer than two steps were measured.
func (b *builder) waterfall(load LayerLoad, stack []layerNode) *Waterfall {
	top := stack[len(stack)-1]
	last, measured := top.loads[load]
	if !measured {
		return nil
	}
	w := &Waterfall{Top: top.name, Load: load, Size: requestSize(last, top.stems[load]+"iops")}
	figure := "latency.p50"
	for _, n := range stack {
		r, is := n.loads[load]
		plain, flushes := n.loads[LayerWrite]
		if is && (hidesWaiting(r, n.stems[load]) || load == LayerDurable && flushes && hidesWaiting(plain, n.stems[LayerWrite])) {
			figure, w.Mean = "latency.mean", true
		}
	}
	below, flushBelow := map[int]float64{}, map[int]float64{}
	for _, n := range stack {
		r, is := n.loads[load]
		if !is {
			w.Left = append(w.Left, LayerLeft{n.name, n.why(load)})
			continue
		}
		stem := n.stems[load]
		all := byRepeat(r, stem+figure)
		total := LayerTotal{
			Name: n.name, Trial: r.Trial.ID, Latency: middle(r, stem+figure), P99: middle(r, stem+"latency.p99"), P999: middle(r, stem+"latency.p99_9"), IOPS: middle(r, stem+"iops"),
		}
		if len(w.Layers) > 0 {
			total.Lost = w.Layers[len(w.Layers)-1].IOPS - total.IOPS
		}
		w.Layers = append(w.Layers, total)
		plain, flushes := n.loads[LayerWrite]
		if load != LayerDurable || !flushes || middle(plain, n.stems[LayerWrite]+figure) == 0 {
			w.step(n.name, WholeStep, difference(all, below))
			below, flushBelow = all, map[int]float64{}
			continue
		}
		path := byRepeat(plain, n.stems[LayerWrite]+figure)
		flush := difference(all, path)
		w.step(n.name, PathStep, difference(path, difference(below, flushBelow)))
		w.step(n.name, FlushStep, difference(flush, flushBelow))
		below, flushBelow = all, flush
	}
	if len(w.Steps) < 2 {
		return nil
	}
	return w
}

// hidesWaiting reports whether the median does not represent an operation: there is none,
// or some operations take so long that most of the time goes there, as under a rate limit.
func hidesWaiting(r assay.Result, stem string) bool {
	const most = .5
	return middle(r, stem+"latency.p50")*middle(r, stem+"iops") < most
}

// step adds a step of the latency.
func (w *Waterfall) step(layer string, part StepPart, differences map[int]float64) {
	var all []float64
	for _, n := range sortedKeys(differences) {
		all = append(all, differences[n])
	}
	cost, ok := stats.PairedMedian(all, .95, uint64(len(w.Steps)))
	if !ok {
		return
	}
	w.Steps = append(w.Steps, LayerStep{Layer: layer, Part: part, Cost: cost, Pairs: len(all)})
	whole := w.Layers[len(w.Layers)-1].Latency
	for i := range w.Steps {
		w.Steps[i].Share = w.Steps[i].Cost.Center / whole
	}
}

// byRepeat returns a metric of each counted repeat, keyed by repeat number.
func byRepeat(r assay.Result, metric string) map[int]float64 {
	all := map[int]float64{}
	for _, rep := range r.Counted() {
		if m := rep.Measurement(metric); m != nil {
			all[rep.N] = m.Value
		}
	}
	return all
}

// difference returns of minus less for each round that has both; an empty less counts as
// zero.
func difference(of, less map[int]float64) map[int]float64 {
	if len(less) == 0 {
		return of
	}
	all := map[int]float64{}
	for n, v := range of {
		if u, both := less[n]; both {
			all[n] = v - u
		}
	}
	return all
}

func sortedKeys(m map[int]float64) []int {
	var keys []int
	for n := range m {
		keys = append(keys, n)
	}
	slices.Sort(keys)
	return keys
}

// modelled returns what the model of replicated storage predicts for writes, from the
// layer below and the network; nil if the top is not replicated.
func (b *builder) modelled(w Waterfall, stack, nodes []layerNode) *Modelled {
	top := stack[len(stack)-1].subject
	s := b.stackOf(top)
	if w.Load != LayerDurable || !b.replicated(top) || s == nil {
		return nil
	}
	rtt, _ := b.roundTrip(top)
	model := limits.ReplicatedWrite{Kind: s.Kind, Protocol: cmp.Or(b.tierSet(top)["protocol"], s.Protocol), Size: w.Size, RTT: rtt}
	if link := b.goodput(TierColumn{Host: top.Host, Node: b.nodeOf(top.Host)}, false); link.Known() {
		model.Rate = link.Value
	}
	local := 0.
	if n := len(w.Layers); n > 1 {
		local = w.Layers[n-2].Latency
	}
	remote := s.Remote
	if s.Kind == "ceph" && s.Copies > 0 && s.Nodes > 0 {
		remote, model.Away = s.Copies-1, float64(s.Nodes-1)/float64(s.Nodes)
		if s.Outside {
			model.Away = 1
		}
	}
	far := local
	if peer := b.peerOf(w, stack, nodes); peer != nil {
		far = peer.Latency
	}
	for i := range max(s.Copies, remote) {
		r := limits.Replica{Write: local}
		if i < remote {
			r = limits.Replica{Write: far, Remote: true}
		}
		model.Replicas = append(model.Replicas, r)
	}
	m := &Modelled{Latency: model.WriteLatency()}
	if m.Known() {
		whole := w.Layers[len(w.Layers)-1].Latency
		m.Residual = (whole - m.Value) / whole
	}
	return m
}

// tierSet returns the settings of a storage's tier.
func (b *builder) tierSet(s assay.Subject) map[string]string {
	for _, t := range b.run.Inventory.Tiers {
		if t.Name == s.Tier {
			return t.Set
		}
	}
	return nil
}

// tripOf compares the replication cost with the network; nil if the layer below was not
// measured on the same host, or no round trip to the replicas was.
func (b *builder) tripOf(w Waterfall, stack, nodes []layerNode) *Trip {
	top := stack[len(stack)-1]
	s := b.stackOf(top.subject)
	if w.Load == LayerRead || len(w.Layers) < 2 || s == nil || s.Kind == "ceph" || !b.replicated(top.subject) {
		return nil
	}
	rtt, network := b.roundTrip(top.subject)
	if !(rtt > 0) {
		return nil
	}
	t := &Trip{Layer: top.name, Over: cmp.Or(s.ClusterNIC, network), RTT: rtt, Peer: b.peerOf(w, stack, nodes)}
	for _, step := range w.Steps {
		if step.Layer == top.name {
			t.Replica.Center += step.Cost.Center
			t.Replica.Low, t.Replica.High, t.Replica.Level = t.Replica.Low+step.Cost.Low, t.Replica.High+step.Cost.High, step.Cost.Level
		}
	}
	return t
}

// peerOf returns the slowest storage that a replica on another host may use.
func (b *builder) peerOf(w Waterfall, stack, nodes []layerNode) (slowest *PeerStorage) {
	top := stack[len(stack)-1].subject
	local := b.localTo(top.Host, nodes, top.Volume)
	for _, d := range b.stackOf(top).Disks {
		host := b.hostWith(d)
		peer := b.localTo(host, nodes, top.Volume)
		if b.nodeOf(host) == b.nodeOf(top.Host) || local == nil || peer == nil || !local.measured(w.Load) || !peer.measured(w.Load) {
			continue
		}
		latency := func(n *layerNode) float64 {
			if w.Mean {
				return middle(n.loads[w.Load], n.stems[w.Load]+"latency.mean")
			}
			return middle(n.loads[w.Load], n.stems[w.Load]+"latency.p50")
		}
		if p := (PeerStorage{Name: peer.name, Latency: latency(peer), Beyond: latency(peer) - latency(local)}); slowest == nil || p.Latency > slowest.Latency {
			slowest = &p
		}
	}
	return slowest
}

// roundTrip returns the longest median round trip on links of the host or node that has a
// storage, and its network; 0 if none was measured. If the facts show the addresses that
// replicas are written to, only networks with these count, and of known replicas only links to
// their hosts.
func (b *builder) roundTrip(of assay.Subject) (longest float64, network string) {
	node, between := b.nodeOf(of.Host), b.betweenReplicas(of)
	holders := b.holderNodes(of)
	isFar := func(host string) bool { return holders != nil && !holders[b.nodeOf(host)] }
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		if s.Kind != assay.KindLink || b.nodeOf(s.Host) != node && b.nodeOf(s.Peer) != node || between != nil && !slices.Contains(between, s.Network) || isFar(s.Host) || isFar(s.Peer) {
			continue
		}
		if rtt := middle(r, "net.rtt.median"); rtt > longest {
			longest, network = rtt, s.Network
		}
	}
	return longest, network
}

// holderNodes returns the hosts or nodes that have a storage or one of its replicas; nil if
// some of them are not in the run.
func (b *builder) holderNodes(of assay.Subject) map[string]bool {
	s := b.stackOf(of)
	if s == nil || len(s.Disks) == 0 {
		return nil
	}
	nodes := map[string]bool{b.nodeOf(of.Host): true}
	for _, d := range s.Disks {
		node := b.nodeOf(b.hostWith(d))
		if !slices.ContainsFunc(b.run.Inventory.Hosts, func(h assay.Host) bool { return b.nodeOf(h.Name) == node }) {
			return nil
		}
		nodes[node] = true
	}
	return nodes
}

// betweenReplicas returns the networks on which all replicas of a storage have addresses,
// whether or not one of them is local; nil if the facts do not tell.
func (b *builder) betweenReplicas(of assay.Subject) []string {
	s := b.stackOf(of)
	if s == nil || !slices.ContainsFunc(s.Disks, func(d assay.StackDisk) bool { return d.Copies != "" && d.Serves == "" }) {
		return nil
	}
	networks := []string{}
	for _, n := range b.run.Inventory.Networks {
		if !slices.ContainsFunc(s.Disks, func(d assay.StackDisk) bool { return addressed(n, d) == "" }) {
			networks = append(networks, n.Name)
		}
	}
	return networks
}

// addressed returns the host that has a replica's address on a network; "" if
// none.
func addressed(n assay.Network, d assay.StackDisk) string {
	if d.Copies != "" && n.Addresses[d.Host] == d.Copies {
		return d.Host
	}
	for _, host := range slices.Sorted(maps.Keys(n.Addresses)) {
		if d.Copies != "" && n.Addresses[host] == d.Copies {
			return host
		}
	}
	return ""
}

// hostWith returns the run's host that has a replica: the storage may know hosts by other
// names, but knows their addresses.
func (b *builder) hostWith(d assay.StackDisk) string {
	if _, known := b.run.Inventory.Facts[d.Host]; known {
		return d.Host
	}
	for _, n := range b.run.Inventory.Networks {
		if host := addressed(n, d); host != "" {
			return host
		}
	}
	return d.Host
}

// waterfallPoints returns where the time of each synchronous write goes.
func (f Found) waterfallPoints() []Point {
	var out []Point
	for _, w := range f.Waterfalls {
		if w.Load != LayerRead || len(f.Waterfalls) == 1 {
			out = append(out, Point{Limit, w})
		}
	}
	return few(out, "waterfall")
}
