package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/limits"
	"assay/stats"
)

// Waterfall is where the time of one operation at depth 1 goes: what each layer that
// storage stands on takes more than the one below it.
type Waterfall struct {
	Top    string // what stands on all the others
	Load   LayerLoad
	Size   int64        // B
	Mean   bool         // of means: a tool gives no median, or the median hides the waiting
	Layers []LayerTotal // the lowest first
	Steps  []LayerStep  // they add up to the latency of the last layer
	Left   []LayerLeft
	Assume []string  // what the order of the layers rests on, beside what facts say
	Model  *Modelled // nil where no model covers the stack
}

// LayerLoad is what is done at each layer.
type LayerLoad string

// The loads, all at depth 1.
const (
	LayerRead    LayerLoad = "read"
	LayerWrite   LayerLoad = "write"
	LayerDurable LayerLoad = "synchronous write"
)

// LayerTotal is a layer with all that is below it.
type LayerTotal struct {
	Name, Trial        string
	Latency, P99, P999 float64 // s; 0: not measured
	IOPS               float64
	Lost               float64 // IOPS less than the layer below has
}

// LayerStep is a part of the latency.
type LayerStep struct {
	Layer string
	Part  StepPart
	Cost  stats.Interval // s
	Share float64        // of the latency of the whole
	Pairs int            // repeats that the difference rests on
}

// StepPart is what of a layer's operation a step is.
type StepPart string

// The parts. A layer on which writes were measured with and without a flush has two.
const (
	WholeStep StepPart = ""
	PathStep  StepPart = "write"
	FlushStep StepPart = "flush"
)

// LayerLeft is a layer that has no part in the sum.
type LayerLeft struct{ Name, Why string }

// Modelled is what the physics of replicated storage predicts from the layers below it
// and the network, without the time of the software itself.
type Modelled struct {
	limits.Latency
	Residual float64 // measured less predicted, over measured
}

// Unexplained is the residual from which a model does not explain what was measured.
const Unexplained = .15

// layerNode is a storage with what was measured of it at depth 1.
type layerNode struct {
	subject assay.Subject
	name    string
	loads   map[LayerLoad]assay.Result
	absent  map[LayerLoad]string // why there is no figure
	stems   map[LayerLoad]string // of the metrics
}

// waterfalls finds the stacks of a run and takes them apart.
func (b *builder) waterfalls() []Waterfall {
	nodes := b.layerNodes()
	var out []Waterfall
	for i := range nodes {
		top := &nodes[i]
		if slices.ContainsFunc(nodes, func(n layerNode) bool { return b.standsOn(n.subject, top.subject) }) {
			continue
		}
		stack, assumed := b.stackUnder(top, nodes)
		for _, load := range []LayerLoad{LayerRead, LayerDurable, LayerWrite} {
			w := b.waterfall(load, stack)
			if w == nil || load == LayerWrite && slices.ContainsFunc(out, func(o Waterfall) bool { return o.Top == top.name && o.Load == LayerDurable }) {
				continue
			}
			w.Assume = assumed
			w.Model = b.modelled(*w, stack)
			out = append(out, *w)
		}
	}
	return out
}

// layerNodes are the storages that something small was measured on, one at a time.
func (b *builder) layerNodes() []layerNode {
	var nodes []layerNode
	for _, r := range b.run.Results {
		load, stem, is := layerLoadOf(r)
		s := r.Trial.Subject
		if !is || len(r.Trial.Others) > 0 || r.Trial.From != "" {
			continue
		}
		at := slices.IndexFunc(nodes, func(n layerNode) bool { return n.subject.ID == s.ID })
		if at < 0 {
			at = len(nodes)
			nodes = append(nodes, layerNode{s, b.layerName(s), map[LayerLoad]assay.Result{}, map[LayerLoad]string{}, map[LayerLoad]string{}})
		}
		a := b.absence(r)
		switch {
		case a != nil:
			nodes[at].absent[load] = a.Why
		case b.rejectedAny(r, stem+"latency.p50") || b.rejectedAny(r, stem+"iops"):
			nodes[at].absent[load] = "the audit rejects its figure"
		default:
			nodes[at].loads[load], nodes[at].stems[load] = r, stem
		}
	}
	return nodes
}

// layerLoadOf says which load of a waterfall a result is of, as it happened or was to
// happen. Ceph acknowledges writes to a pool once they are durable.
func layerLoadOf(r assay.Result) (load LayerLoad, stem string, is bool) {
	s := r.Trial.Subject
	set := r.Trial.Settings
	switch {
	case s.Kind == assay.KindPool && set["op"] == "write":
		load, stem = LayerDurable, "pool.write."
	case s.Kind == assay.KindPool:
		load, stem = LayerRead, "pool.read."
	case set["fdatasync"] != "" || set["fsync"] != "" || set["rate_iops"] != "":
		return "", "", false
	case strings.HasSuffix(set["rw"], "read"):
		load, stem = LayerRead, "storage.read."
	case strings.HasSuffix(set["rw"], "write") && set["sync"] != "" && set["sync"] != "0":
		load, stem = LayerDurable, "storage.write."
	case strings.HasSuffix(set["rw"], "write"):
		load, stem = LayerWrite, "storage.write."
	default:
		return "", "", false
	}
	size := requestSize(r, stem+"iops")
	return load, stem, inFlight(happenedTo(r, stem+"iops")) == 1 && size > 0 && size < assay.LargeBlock
}

// layerName is what people call it.
func (b *builder) layerName(s assay.Subject) string {
	several := len(b.run.Inventory.Hosts) > 1
	name := s.Name
	switch {
	case s.Tier != "":
		return s.Tier
	case s.Kind == assay.KindDrive:
		name = "drive " + s.Name
	case s.Kind == assay.KindDirectory:
		if fs := b.fileSystem(s); fs != "" {
			name = fs + " at " + s.Name
		}
	}
	if several {
		name = s.Host + ": " + name
	}
	return name
}

// stackUnder is a storage with all below it that was measured, the lowest first, and what
// is assumed of it. Of several drives the slowest stands for all: each operation may wait
// for it.
func (b *builder) stackUnder(top *layerNode, nodes []layerNode) (stack []layerNode, assumed []string) {
	below := slices.DeleteFunc(slices.Clone(nodes), func(n layerNode) bool { return !b.standsOn(top.subject, n.subject) })
	if len(below) == 0 && b.replicated(top.subject) {
		if local := b.localTo(top.subject, nodes); local != nil {
			stack, assumed = b.stackUnder(local, nodes)
			assumed = append(assumed, fmt.Sprintf("the replicas of %s are on storage like %s", top.name, local.name))
		}
		return append(stack, *top), assumed
	}
	height := func(n layerNode) int {
		count := 0
		for _, m := range below {
			if b.standsOn(n.subject, m.subject) {
				count++
			}
		}
		return count
	}
	slices.SortStableFunc(below, func(x, y layerNode) int {
		return cmp.Or(cmp.Compare(height(x), height(y)), cmp.Compare(x.slowest(), y.slowest()))
	})
	for i, n := range below {
		if i+1 < len(below) && height(below[i+1]) == height(n) { // the next is as low, and slower
			continue
		}
		stack = append(stack, n)
	}
	return append(stack, *top), assumed
}

// slowest is its greatest latency.
func (n layerNode) slowest() (most float64) {
	for load, r := range n.loads {
		most = max(most, middle(r, n.stems[load]+"latency.p50"), middle(r, n.stems[load]+"latency.mean"))
	}
	return most
}

// standsOn reports whether facts say that one storage lies on another.
func (b *builder) standsOn(over, under assay.Subject) bool {
	if over.ID == under.ID || over.Host != under.Host {
		return false
	}
	if slices.Contains(over.On, under.ID) {
		return true
	}
	f := b.run.Inventory.Facts[over.Host]
	lies := devicesUnder(f, over)
	if under.Kind == assay.KindDirectory {
		d := f.Dir(under.Name)
		return d != nil && d.Mount != "" && slices.ContainsFunc(lies, func(name string) bool {
			dev := f.Device(name)
			return dev != nil && dev.Backing != "" && mountOf(f, dev.Backing) == d.Mount && over.Name != under.Name
		})
	}
	name := under.Name
	if dev := f.DeviceAt(under.Name); dev != nil {
		name = dev.Name
	}
	return slices.Contains(lies, name)
}

// mountOf is the mount point, of those that facts know, that a file lies below.
func mountOf(f assay.Facts, file string) (longest string) {
	for _, d := range f.Dirs {
		below := file == d.Mount || strings.HasPrefix(file, strings.TrimSuffix(d.Mount, "/")+"/")
		if below && len(d.Mount) > len(longest) {
			longest = d.Mount
		}
	}
	return longest
}

// devicesUnder are the kernel names of the devices that a storage lies on; a device does
// not lie on itself.
func devicesUnder(f assay.Facts, s assay.Subject) []string {
	var next []string
	if d := f.Dir(s.Name); d != nil {
		next = append(next, d.Drives...)
		if d.Device != "" {
			next = append(next, d.Device)
		}
	} else if dev := f.DeviceAt(s.Name); dev != nil {
		next = append(next, dev.On...)
	}
	var all []string
	for len(next) > 0 {
		name := next[0]
		next = next[1:]
		if slices.Contains(all, name) {
			continue
		}
		all = append(all, name)
		dev := f.Device(name)
		if dev == nil {
			continue
		}
		next = append(next, dev.On...)
		for _, d := range f.Dirs {
			if dev.Backing != "" && d.Mount == mountOf(f, dev.Backing) {
				next = append(append(next, d.Device), d.Drives...)
			}
		}
	}
	return all
}

// replicated reports whether copies of what is stored there are on several nodes.
func (b *builder) replicated(s assay.Subject) bool {
	stack := b.run.Inventory.Facts[s.Host].Stack
	return stack != nil && (s.Kind == assay.KindPool || s.Kind == assay.KindImage || s.Volume == "pvc" || s.Volume == stack.Kind)
}

// localTo is the storage of a node that what is replicated there may stand on: the one
// that stands on most.
func (b *builder) localTo(s assay.Subject, nodes []layerNode) (best *layerNode) {
	most := -1
	for i, n := range nodes {
		if n.subject.ID == s.ID || b.replicated(n.subject) || b.nodeOf(n.subject.Host) != b.nodeOf(s.Host) {
			continue
		}
		height := 0
		for _, m := range nodes {
			if b.standsOn(n.subject, m.subject) {
				height++
			}
		}
		if height > most {
			best, most = &nodes[i], height
		}
	}
	return best
}

// nodeOf is the machine that a host is or runs on.
func (b *builder) nodeOf(host string) string {
	for _, t := range b.run.Inventory.Tiers {
		if node := t.Nodes[host]; node != "" {
			return node
		}
	}
	return host
}

// waterfall takes one load apart; nil where fewer than two steps were measured.
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

// hidesWaiting reports whether the median is not what an operation takes: there is none, or
// a part of the operations takes so long that most of the time goes there, as under a
// rate limit.
func hidesWaiting(r assay.Result, stem string) bool {
	const most = .5
	return middle(r, stem+"latency.p50")*middle(r, stem+"iops") < most
}

// why says why a layer has no figure of a load.
func (n layerNode) why(load LayerLoad) string {
	if why := n.absent[load]; why != "" {
		return why
	}
	if n.subject.Kind == assay.KindDrive || n.subject.Kind == assay.KindDevice {
		return "it is only read, since a write would destroy what is on it"
	}
	return "it was not measured"
}

// step adds a part of the latency.
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

// byRepeat is a metric of each counted repeat, by its number.
func byRepeat(r assay.Result, metric string) map[int]float64 {
	all := map[int]float64{}
	for _, rep := range r.Counted() {
		if m := rep.Measurement(metric); m != nil {
			all[rep.N] = m.Value
		}
	}
	return all
}

// difference is how much more one is than the other in each round that has both; nothing
// below is nothing.
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

// modelled is what the model of replicated storage predicts for writes, from the layer
// below it and the network; nil where the top is not replicated.
func (b *builder) modelled(w Waterfall, stack []layerNode) *Modelled {
	top := stack[len(stack)-1].subject
	s := b.run.Inventory.Facts[top.Host].Stack
	if w.Load != LayerDurable || !b.replicated(top) || s == nil {
		return nil
	}
	model := limits.ReplicatedWrite{Kind: s.Kind, Protocol: s.Protocol, Size: w.Size, RTT: b.roundTrip(top.Host)}
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
	for i := range max(s.Copies, remote) {
		model.Replicas = append(model.Replicas, limits.Replica{Write: local, Remote: i < remote})
	}
	m := &Modelled{Latency: model.WriteLatency()}
	if m.Known() {
		whole := w.Layers[len(w.Layers)-1].Latency
		m.Residual = (whole - m.Value) / whole
	}
	return m
}

// roundTrip is the longest median round trip on links of a host or its node; 0 where none
// was measured.
func (b *builder) roundTrip(host string) (longest float64) {
	node := b.nodeOf(host)
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		if s.Kind == assay.KindLink && (b.nodeOf(s.Host) == node || b.nodeOf(s.Peer) == node) {
			longest = max(longest, middle(r, "net.rtt.median"))
		}
	}
	return longest
}

// waterfallPoints say where the time of each synchronous write goes.
func (f Found) waterfallPoints() []Point {
	var out []Point
	for _, w := range f.Waterfalls {
		if w.Load != LayerRead || len(f.Waterfalls) == 1 {
			out = append(out, Point{Limit, w})
		}
	}
	return few(out, "waterfall")
}
