package analysis

import (
	"cmp"
	"slices"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/internal/quantity"
)

// Prediction is a figure of a storage as measured, what limits it, and what it would
// be after some changes.
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

// Gain returns the factor by which the figure would grow.
func (p Prediction) Gain() float64 {
	if p.Then == nil || p.Then.Unknown != "" || !(p.Now > 0) {
		return 1
	}
	return p.Then.Value / p.Now
}

// Predict returns what limits each storage of a run, and what changes would bring. What
// no change touches stays as measured.
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
		if s := b.result(now[i].Trial).Trial.Subject; !b.replicated(s) && slices.ContainsFunc(changes, func(c Change) bool {
			return c.What == ChangeDrive && c.Value > 0 && c.means(s.Tier, s.Host, s.Name)
		}) {
			now[i].Then.Unknown = "how much of its drive it uses: only pools and replicated storage are predicted from the rate of a drive"
		}
	}
	return now
}

// predictions returns the figures that can be predicted: bandwidth of large operations,
// and writes at depth 1.
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

// bounded adds the limits of a figure, lowest first.
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
	order.Stable(bind.Limits, func(x, y TierLimit) int { return cmp.Compare(x.Value, y.Value) })
	p.Ceilings, p.Missing = bind.Limits, bind.Missing
	return p
}

func (b *builder) nodeOnly(host string) string {
	if node := b.nodeOf(host); node != host {
		return node
	}
	return ""
}

// driveUnder returns what local storage of the same node reaches with the same operation: no
// replica on such a drive can be written faster. A rate given for the drives is used instead.
func (b *builder) driveUnder(s assay.Subject, p Prediction) *TierLimit {
	if !b.replicated(s) || s.Kind == assay.KindPool {
		return nil
	}
	if stack := b.stackOf(s); stack.Write > 0 && stack.Kind != "ceph" {
		return &TierLimit{Name: "the drives", Sum: "as given", Value: stack.Write, Drive: true}
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
