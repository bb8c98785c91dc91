package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	glob "path"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/quantity"
	"assay/limits"
)

// Change is one thing that is done to a cluster.
type Change struct {
	Of    string // hosts, nodes or tiers, as a pattern: pve4, pve*, tank
	What  ChangeKind
	Value float64 // bit/s of a NIC, copies, hosts
}

// ChangeKind is what is changed.
type ChangeKind string

// The kinds, the cheapest first.
const (
	ChangeReplicas ChangeKind = "replicas" // copies of each byte
	ChangeSync     ChangeKind = "sync"     // writes are acknowledged before they are durable
	ChangeNIC      ChangeKind = "nic"
	ChangeDrive    ChangeKind = "drive" // with power-loss protection
	ChangeHost     ChangeKind = "host"  // one more
)

var changeKinds = []ChangeKind{ChangeReplicas, ChangeSync, ChangeNIC, ChangeDrive, ChangeHost}

// ParseChange reads NAME.nic=10G, NAME.replicas=2, NAME.drive=PLP or NAME.sync=off.
func ParseChange(word string) (Change, error) {
	left, value, _ := strings.Cut(word, "=")
	dot := strings.LastIndexByte(left, '.')
	hint := "for example pve4.nic=10G, 'pve*.drive=PLP', tank.replicas=2 or tank.sync=off"
	if dot <= 0 || value == "" {
		return Change{}, assay.WithHint(hint, "%q is no change", word)
	}
	c := Change{Of: left[:dot], What: ChangeKind(left[dot+1:])}
	if _, err := glob.Match(c.Of, ""); err != nil {
		return Change{}, assay.WithHint(hint, "%q: %q is no pattern", word, c.Of)
	}
	ok := false
	switch c.What {
	case ChangeNIC:
		c.Value, ok = bits(value)
	case ChangeReplicas:
		n, err := strconv.Atoi(value)
		c.Value, ok = float64(n), err == nil && n >= 1 && n <= 16
	case ChangeDrive:
		ok = strings.EqualFold(value, "PLP")
	case ChangeSync:
		ok = value == "off" || value == "disabled"
	}
	if !ok {
		return Change{}, assay.WithHint(hint, "%q: cannot set %s to %q", word, c.What, value)
	}
	return c, nil
}

// AddHost is one more host with the drives and links of another.
func AddHost(name string) Change { return Change{Of: name, What: ChangeHost, Value: 1} }

// bits reads a speed: 10G, 2.5G, 100M.
func bits(word string) (float64, bool) {
	unit := map[string]float64{"G": 1e9, "M": 1e6}[strings.ToUpper(word[len(word)-1:])]
	v, err := strconv.ParseFloat(word[:len(word)-1], 64)
	return v * unit, err == nil && unit > 0 && v > 0 && v*unit <= 1e13
}

// String is the change as it is typed.
func (c Change) String() string {
	switch c.What {
	case ChangeNIC:
		return c.Of + ".nic=" + strings.NewReplacer(" ", "", "b/s", "").Replace(quantity.Plain(c.Value/1e9)+"G")
	case ChangeReplicas:
		return fmt.Sprintf("%s.replicas=%.0f", c.Of, c.Value)
	case ChangeDrive:
		return c.Of + ".drive=PLP"
	case ChangeSync:
		return c.Of + ".sync=off"
	}
	return "host=" + c.Of
}

func (c Change) means(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		is, _ := glob.Match(c.Of, name)
		return is && name != ""
	})
}

// Prediction is what one figure of a storage is now, what allows no more, and what it
// would be after some changes.
type Prediction struct {
	Storage  string      `json:"storage"`
	Trial    string      `json:"trial"`
	Metric   string      `json:"metric"`
	Unit     assay.Unit  `json:"unit"`
	Size     int64       `json:"size"`  // B of one operation
	Depth    int         `json:"depth"` // operations in flight
	Random   bool        `json:"random,omitempty"`
	Now      float64     `json:"now"` // as measured
	Ceilings []TierLimit `json:"ceilings"`
	Missing  []string    `json:"missing,omitempty"` // facts that would give further ones
	Then     *Outlook    `json:"then,omitempty"`    // nil where nothing is changed
}

// Outlook is what a figure would be.
type Outlook struct {
	Value     float64     `json:"value"`
	Low       float64     `json:"low"`
	High      float64     `json:"high"`
	Sum       string      `json:"sum"`
	Ceilings  []TierLimit `json:"ceilings"`
	Binds     string      `json:"binds"` // what would allow no more
	Unknown   string      `json:"unknown,omitempty"`
	Unchanged bool        `json:"unchanged,omitempty"`
	Risk      string      `json:"risk,omitempty"`
}

// Gain is how many times as much there would be.
func (p Prediction) Gain() float64 {
	if p.Then == nil || p.Then.Unknown != "" || !(p.Now > 0) {
		return 1
	}
	return p.Then.Value / p.Now
}

// Predict says what bounds each storage of a run, and what changes would bring. What no
// change touches stays as it was measured.
func Predict(run assay.Run, changes []Change) []Prediction {
	b := builderOf(run)
	now := b.predictions()
	if len(changes) == 0 {
		return now
	}
	after := builderOf(changed(run, changes)).predictions()
	for i := range now {
		j := slices.IndexFunc(after, func(p Prediction) bool { return p.Trial == now[i].Trial && p.Metric == now[i].Metric })
		if j < 0 {
			continue
		}
		if now[i].Unit == assay.PerSecond {
			now[i].Then = b.laterAtDepthOne(now[i], changes)
		} else {
			now[i].Then = now[i].later(after[j])
		}
	}
	return now
}

func builderOf(run assay.Run) *builder {
	b := &builder{run: run, results: map[string]assay.Result{}, notes: map[string][]int{}, short: map[RowID]Shortfall{}}
	for _, r := range run.Results {
		b.results[r.Trial.ID] = r
	}
	b.number()
	return b
}

// predictions are the figures that can be predicted: bandwidth of large operations, and
// writes at depth 1.
func (b *builder) predictions() []Prediction {
	var out []Prediction
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		lends := s.Kind == assay.KindDirectory || s.Kind == assay.KindBlock || s.Kind == assay.KindImage || s.Kind == assay.KindPool
		if !lends || len(r.Trial.Others) > 0 || r.Trial.From != "" || len(r.Counted()) == 0 {
			continue
		}
		for _, metric := range []string{"storage.write.bandwidth", "storage.read.bandwidth", "pool.write.bandwidth", "pool.read.bandwidth", "storage.write.iops", "pool.write.iops"} {
			p := Prediction{Storage: cmp.Or(s.Tier, s.Name), Trial: r.Trial.ID, Metric: metric, Now: middle(r, metric), Size: requestSize(r, metric), Depth: inFlight(happenedTo(r, metric))}
			m, _ := assay.Describe(metric)
			p.Unit, p.Random = m.Unit, strings.HasPrefix(happenedTo(r, metric)["pattern"], "rand")
			large := p.Size >= assay.LargeBlock
			load, _, small := layerLoadOf(r)
			switch {
			case p.Now == 0 || b.rejectedAny(r, metric):
			case p.Unit == assay.BytesPerSecond && large:
				out = append(out, b.bounded(p, r))
			case p.Unit == assay.PerSecond && small && load == LayerDurable:
				p.Ceilings = []TierLimit{{Name: "latency at depth 1", Sum: "1 / " + quantity.Time(1/p.Now), Value: p.Now, Load: true}}
				out = append(out, p)
			}
		}
	}
	return out
}

// bounded adds what allows no more, the least first.
func (b *builder) bounded(p Prediction, r assay.Result) Prediction {
	s := r.Trial.Subject
	c := TierColumn{Name: p.Storage, Tier: s.Tier, Host: s.Host, Node: b.nodeOnly(s.Host)}
	bind := TierBind{Column: c.Name, Metric: p.Metric, Value: p.Now}
	b.storageLimits(&bind, c, r)
	if l := b.driveUnder(s, p); l != nil {
		bind.Limits = append(bind.Limits, *l)
	}
	if l := loadLimit(r, p.Metric); l.Known() {
		bind.Limits = append(bind.Limits, TierLimit{Name: "its queue depth", Sum: l.Sum, Value: l.Value, Load: true})
	}
	slices.SortStableFunc(bind.Limits, func(x, y TierLimit) int { return cmp.Compare(x.Value, y.Value) })
	p.Ceilings, p.Missing = bind.Limits, bind.Missing
	return p
}

func (b *builder) nodeOnly(host string) string {
	if node := b.nodeOf(host); node != host {
		return node
	}
	return ""
}

// driveUnder is what local storage of the same node gives of the same operation: no
// replica on such a drive can be written faster.
func (b *builder) driveUnder(s assay.Subject, p Prediction) *TierLimit {
	if !b.replicated(s) || s.Kind == assay.KindPool {
		return nil
	}
	for _, r := range b.run.Results {
		o := r.Trial.Subject
		if o.ID == s.ID || b.replicated(o) || b.nodeOf(o.Host) != b.nodeOf(s.Host) || o.Kind != assay.KindDirectory && o.Kind != assay.KindBlock {
			continue
		}
		if v := middle(r, p.Metric); v > 0 && requestSize(r, p.Metric) == p.Size && len(r.Trial.Others) == 0 {
			return &TierLimit{Name: "the drive, as " + cmp.Or(o.Tier, o.Name) + " has it", Sum: "measured", Value: v, Drive: true}
		}
	}
	return nil
}

// least is the hardware limit that allows least; nil where none is known.
func least(all []TierLimit) *TierLimit {
	for i := range all {
		if !all[i].Load {
			return &all[i]
		}
	}
	return nil
}

// later is a bandwidth under other limits. What ran at a limit goes on at the same share of
// the next one; what was far below all of them is held back by something that no limit
// tells, and gains nothing.
func (p Prediction) later(after Prediction) *Outlook {
	was, is := least(p.Ceilings), least(after.Ceilings)
	o := &Outlook{Ceilings: after.Ceilings, Value: p.Now, Low: p.Now, High: p.Now, Unchanged: true}
	switch {
	case was == nil || is == nil:
		o.Unknown = "what limits it: " + strings.Join(append(slices.Clone(p.Missing), after.Missing...), ", ")
		return o
	case sameLimits(p.Ceilings, after.Ceilings):
		o.Binds = was.Name
		return o
	}
	o.Binds = is.Name
	share := p.Now / was.Value
	switch {
	case share > beyond:
		o.Unknown = "what limits it: it exceeds " + was.Name
	case is.Value > was.Value && share < bindsFrom:
		o.Binds = "not " + was.Name + ", of which it uses " + fmt.Sprintf("%.0f %%", 100*share)
	case is.Value < was.Value && p.Now <= bindsFrom*is.Value:
		// The lower limit is still far away.
	default:
		if is.Value < was.Value { // at its new limit, as others are at theirs
			share = max(share, bindsFrom)
		}
		share = min(share, 1)
		o.Value, o.Low, o.High, o.Unchanged = share*is.Value, bindsFrom*share*is.Value, is.Value, false
		o.Sum = fmt.Sprintf("%s of %s", percentWords(share), is.Name)
		if is.Sum != "" {
			o.Sum += ": " + is.Sum + " = " + quantity.Megabytes(is.Value)
		}
	}
	return o
}

func percentWords(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func sameLimits(a, b []TierLimit) bool {
	return slices.EqualFunc(a, b, func(x, y TierLimit) bool { return math.Abs(x.Value-y.Value) <= 1e-9*x.Value })
}

// laterAtDepthOne is the rate of synchronous writes after changes of what they wait for.
func (b *builder) laterAtDepthOne(p Prediction, changes []Change) *Outlook {
	r := b.results[p.Trial]
	s := r.Trial.Subject
	whole := 1 / p.Now
	o := &Outlook{Value: p.Now, Low: p.Now, High: p.Now, Unchanged: true, Ceilings: p.Ceilings, Binds: "latency at depth 1"}
	node := b.nodeOf(s.Host)
	saved, unsure := 0., 0.
	var terms []string
	for _, c := range changes {
		switch {
		case (c.What == ChangeDrive || c.What == ChangeSync) && c.means(s.Tier, s.Host, node, s.Name):
			flush, known := b.flushOf(s, whole)
			if !known {
				o.Unknown = "how much of it is the flush: measure it with assay run --suite layers"
				return o
			}
			saved, unsure = saved+flush, unsure+.1*flush
			terms = append(terms, "the flush "+quantity.Time(flush))
			if c.What == ChangeSync {
				o.Risk = "a power failure loses the writes of the last seconds that were acknowledged"
			}
		case c.What == ChangeNIC && c.means(s.Host, node) && b.replicated(s):
			link := b.goodput(TierColumn{Host: s.Host, Node: b.nodeOnly(s.Host)}, false)
			if faster := limits.Line(c.Value, limits.TCPPacket(1500, false, false)); link.Known() && faster.Value > link.Value {
				d := float64(p.Size)/link.Value - float64(p.Size)/faster.Value
				saved, unsure = saved+d, unsure+.5*d
				terms = append(terms, "the transfer "+quantity.Time(d))
			}
		case c.What == ChangeReplicas && c.means(s.Tier, s.Name) && b.replicated(s) && c.Value == 1:
			if rtt := b.roundTrip(s.Host); rtt > 0 {
				saved, unsure = saved+rtt, unsure+.5*rtt
				terms = append(terms, "the round trip "+quantity.Time(rtt))
			}
		}
	}
	if saved <= 0 {
		return o
	}
	rest := max(whole-saved, .01*whole)
	o.Value, o.Low, o.High, o.Unchanged = 1/rest, 1/(rest+unsure+.1*rest), 1/(.9*rest), false
	o.Sum = fmt.Sprintf("1 / (%s - %s)", quantity.Time(whole), strings.Join(terms, " - "))
	return o
}

// flushOf is how much of a synchronous write its flush is, from the same write without.
func (b *builder) flushOf(s assay.Subject, whole float64) (flush float64, known bool) {
	for _, r := range b.run.Results {
		load, _, is := layerLoadOf(r)
		if v := middle(r, "storage.write.iops"); is && load == LayerWrite && r.Trial.Subject.ID == s.ID && v > 0 && !b.rejectedAny(r, "storage.write.iops") {
			return max(whole-1/v, 0), true
		}
	}
	return 0, false
}

// changed is a run as if its hosts had been changed: only what is a fact of them.
func changed(run assay.Run, changes []Change) assay.Run {
	inv := run.Inventory
	inv.Facts = maps.Clone(inv.Facts)
	inv.Networks = slices.Clone(inv.Networks)
	b := builderOf(run)
	faster := func(c Change, host string) bool { return c.What == ChangeNIC && c.means(host, b.nodeOf(host)) }
	for host, f := range inv.Facts {
		for _, c := range changes {
			if faster(c, host) {
				f.NICs = withSpeed(f.NICs, c.Value)
			}
			if f.Stack == nil {
				continue
			}
			stack := *f.Stack
			switch {
			case c.What == ChangeReplicas && c.means(b.tiersOf(host)...):
				fewer := stack.Copies - int(c.Value)
				stack.Copies = int(c.Value)
				if stack.Kind != "ceph" {
					stack.Remote = max(stack.Remote-fewer, 0)
				}
			case c.What == ChangeHost && stack.Nodes > 0:
				stack.Drives += stack.Drives / stack.Nodes
				stack.Nodes++
			}
			f.Stack = &stack
		}
		inv.Facts[host] = f
	}
	for i, n := range inv.Networks {
		for _, c := range changes {
			all := c.What == ChangeNIC
			for host := range n.Addresses {
				all = all && faster(c, host)
			}
			if all && n.Rate > 0 {
				inv.Networks[i].Rate = c.Value
			}
		}
	}
	run.Inventory = inv
	// What a link carried before says nothing of a faster one.
	run.Results = slices.DeleteFunc(slices.Clone(run.Results), func(r assay.Result) bool {
		s := r.Trial.Subject
		return s.Kind == assay.KindLink && slices.ContainsFunc(changes, func(c Change) bool { return faster(c, s.Host) || faster(c, s.Peer) })
	})
	return run
}

// withSpeed gives the interfaces that carry data another speed.
func withSpeed(nics []assay.NICFacts, bits float64) []assay.NICFacts {
	all := slices.Clone(nics)
	changed := 0
	for i, n := range all {
		if !n.Virtual && (n.State == "" || n.State == "up" || n.State == "unknown") {
			all[i].Speed, all[i].Members = bits, 0
			all[i].MTU = cmp.Or(n.MTU, 1500)
			changed++
		}
	}
	if changed == 0 {
		all = append(all, assay.NICFacts{Name: "new", State: "up", Speed: bits, MTU: 1500})
	}
	return all
}

// tiersOf names the tiers that a host measures, and what is on it.
func (b *builder) tiersOf(host string) (names []string) {
	for _, s := range b.run.Inventory.Subjects {
		if s.Host == host && s.Tier != "" {
			names = append(names, s.Tier)
		}
		if s.Host == host && s.Kind == assay.KindPool {
			names = append(names, s.Name)
		}
	}
	return names
}

// Suggestion is one change with what it would bring.
type Suggestion struct {
	Changes []Change
	Effects []Prediction // only what gains, the greatest gain first
}

// worthwhile is the least gain that is suggested.
const worthwhile = 1.2

// Suggest finds the changes that would bring something, the cheapest first. More than one
// that does so are also tried together.
func Suggest(run assay.Run) []Suggestion {
	var out []Suggestion
	var all []Change
	for _, c := range candidates(run) {
		if s := suggestion(run, []Change{c}); len(s.Effects) > 0 {
			out, all = append(out, s), append(all, c)
		}
	}
	if len(all) > 1 {
		out = append(out, suggestion(run, all))
	}
	return out
}

func suggestion(run assay.Run, changes []Change) Suggestion {
	s := Suggestion{Changes: changes}
	for _, p := range Predict(run, changes) {
		if p.Gain() >= worthwhile {
			s.Effects = append(s.Effects, p)
		}
	}
	slices.SortStableFunc(s.Effects, func(x, y Prediction) int { return cmp.Compare(y.Gain(), x.Gain()) })
	return s
}

// candidates are the changes that are tried: a faster link for every host or node with
// replicated storage, drives with power-loss protection where flushes are most of a write.
// Fewer replicas and writes that are not durable are nothing to suggest.
func candidates(run assay.Run) []Change {
	b := builderOf(run)
	var out []Change
	add := func(c Change) {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	for _, p := range b.predictions() {
		s := b.results[p.Trial].Trial.Subject
		if p.Unit == assay.PerSecond {
			if flush, known := b.flushOf(s, 1/p.Now); known && flush > .3/p.Now {
				add(Change{Of: p.Storage, What: ChangeDrive})
			}
			continue
		}
		if !b.replicated(s) {
			continue
		}
		if link := b.goodput(TierColumn{Host: s.Host, Node: b.nodeOnly(s.Host)}, false); link.Known() {
			add(Change{Of: b.nodeOf(s.Host), What: ChangeNIC, Value: nextSpeed(8 * link.Value)})
		}
	}
	slices.SortStableFunc(out, func(x, y Change) int {
		return slices.Index(changeKinds, x.What) - slices.Index(changeKinds, y.What)
	})
	return out
}

// nextSpeed is the Ethernet that people buy next.
func nextSpeed(bits float64) float64 {
	for _, speed := range []float64{10e9, 25e9, 100e9} {
		if bits < .5*speed {
			return speed
		}
	}
	return 400e9
}

// suggestionPoint is the one change that the verdict of tiers and clusters ends with.
func (f Found) suggestionPoint() []Point {
	if f.Tiers == nil && f.Side == nil {
		return nil
	}
	if all := Suggest(f.Run); len(all) > 0 {
		return []Point{{Next, all[0]}}
	}
	return nil
}

// Touches reports whether a run has something that a change names.
func Touches(run assay.Run, c Change) bool {
	if c.What == ChangeHost {
		return true
	}
	b := builderOf(run)
	var names []string
	for _, s := range run.Inventory.Subjects {
		names = append(names, s.Host, b.nodeOf(s.Host), s.Tier, s.Name)
	}
	return c.means(names...)
}
