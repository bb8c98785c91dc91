package analysis

import (
	"cmp"
	"slices"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/plan/multiclient"
	"assay/stats"
)

// Scaling is how much several hosts get from one tier at once: one figure of one
// case on one host, on two, and so on.
type Scaling struct {
	Tier   string         `json:"tier"`
	Title  string         `json:"title"` // of the case
	Label  string         `json:"label"` // heading of the figure: IOPS, bandwidth
	Metric string         `json:"metric"`
	Unit   assay.Unit     `json:"unit"`
	Points []ScalingPoint `json:"points"`         // by how many hosts, rising
	Rows   []ClientRow    `json:"rows,omitempty"` // all figures by how many hosts
	// Saturated is the number of hosts at which the total stops growing; 0 if it
	// was not seen to.
	Saturated int `json:"saturated,omitempty"`
}

// ScalingCurve is a curve and its growth.
type ScalingCurve struct {
	Scaling
	Growth Growth
}

// ScalingPoint is the total of that many hosts at once. The point for one host is
// the first host's ordinary trial.
type ScalingPoint struct {
	Hosts  int            `json:"hosts"`
	Names  []string       `json:"names"`
	Trial  string         `json:"trial"`
	Figure *Figure        `json:"figure,omitempty"`
	Absent *assay.Absence `json:"absent,omitempty"`
	// Alone is the sum of what these hosts reach one at a time; absent if any of
	// them has no figure of its own.
	Alone float64 `json:"alone,omitempty"`
	// Efficiency is the total as a share of Alone, with its interval; both ends
	// are equal if there is none.
	Efficiency float64 `json:"efficiency,omitempty"`
	Low        float64 `json:"efficiency_low,omitempty"`
	High       float64 `json:"efficiency_high,omitempty"`
}

// curveOf is what the points of a curve have in common.
type curveOf struct{ probe, name, tier, metric string }

// scalings returns a curve for each case, tier and figure measured on several
// hosts at once.
func (b *builder) scalings() []ScalingCurve {
	var order []curveOf
	joint := map[curveOf][]assay.Result{}
	for _, r := range b.run.Results {
		if len(r.Trial.Others) == 0 {
			continue
		}
		for _, metric := range totalsOf(r) {
			c := curveOf{r.Trial.Probe, multiclient.Base(r.Trial), r.Trial.Subject.Tier, metric}
			if joint[c] == nil {
				order = append(order, c)
			}
			joint[c] = append(joint[c], r)
		}
	}
	var out []ScalingCurve
	for _, c := range order {
		out = append(out, b.scaling(c, b.withAbsent(c, joint[c]), severalCurves(order, c)))
	}
	return out
}

// totalsOf returns a result's headline rates: those that add up over hosts.
func totalsOf(r assay.Result) []string {
	isRate := func(metric string) bool {
		m, _ := assay.Describe(metric)
		return !m.Support && m.Better == assay.Higher && (m.Unit == assay.PerSecond || m.Unit == assay.BytesPerSecond)
	}
	all := slices.DeleteFunc(r.Headlines(), func(metric string) bool { return !isRate(metric) })
	if len(all) > 0 || len(r.Counted()) == 0 {
		return all
	}
	for _, m := range r.Counted()[0].Measurements {
		if isRate(m.Metric) {
			return []string{m.Metric}
		}
	}
	return nil
}

// severalCurves reports whether a case has more than one figure: reads and writes.
func severalCurves(all []curveOf, c curveOf) bool {
	return slices.ContainsFunc(all, func(o curveOf) bool {
		same := o
		same.metric = c.metric
		return same == c && o.metric != c.metric
	})
}

// withAbsent adds the results without figures, which do not know the metric they
// lack.
func (b *builder) withAbsent(c curveOf, found []assay.Result) []assay.Result {
	for _, r := range b.run.Results {
		t := r.Trial
		if len(t.Others) > 0 && t.Probe == c.probe && multiclient.Base(t) == c.name && t.Subject.Tier == c.tier && len(r.Values(c.metric)) == 0 {
			found = append(found, r)
		}
	}
	return found
}

func (b *builder) scaling(c curveOf, joint []assay.Result, several bool) ScalingCurve {
	order.Stable(joint, func(x, y assay.Result) int {
		return cmp.Compare(multiclient.Hosts(x.Trial), multiclient.Hosts(y.Trial))
	})
	m, _ := assay.Describe(c.metric)
	first := joint[0].Trial
	s := ScalingCurve{Scaling: Scaling{Tier: c.tier, Metric: c.metric, Unit: m.Unit, Label: labelOf(c.metric)}}
	s.Title = strings.TrimSuffix(first.Title, multiclient.Title("", multiclient.Hosts(first)))
	s.Title = strings.TrimPrefix(s.Title, c.tier+": ")
	if family := strings.Split(c.metric, "."); several && len(family) > 2 {
		s.Title += ", " + family[1]
	}
	if alone, there := b.ordinary(c, first.Subject); there {
		s.Points = append(s.Points, b.point(c, alone))
	}
	for _, r := range joint {
		s.Points = append(s.Points, b.point(c, r))
	}
	s.Rows = b.clientRows(c, s.Points)
	s.Growth = growthOf(b.values(c, s.Points))
	s.Saturated = s.Growth.StopsAt
	return s
}

// labelOf returns a metric's heading in its section.
func labelOf(metric string) string {
	for _, k := range sectionKinds {
		for _, col := range k.columns {
			if col.metric == metric {
				return col.label
			}
		}
	}
	return ""
}

// ordinary finds the ordinary trial of a curve on one subject.
func (b *builder) ordinary(c curveOf, s assay.Subject) (r assay.Result, there bool) {
	for _, r := range b.run.Results {
		t := r.Trial
		if len(t.Others) == 0 && t.Probe == c.probe && t.Case == c.name && t.Subject.ID == s.ID {
			return r, true
		}
	}
	return r, false
}

func (b *builder) point(c curveOf, r assay.Result) ScalingPoint {
	p := ScalingPoint{Hosts: multiclient.Hosts(r.Trial), Trial: r.Trial.ID}
	for _, s := range multiclient.Subjects(r.Trial) {
		p.Names = append(p.Names, s.Host)
	}
	values := r.Values(c.metric)
	if len(values) == 0 {
		p.Absent = cmp.Or(b.absence(r), &assay.Absence{Word: assay.NoData, Why: "the tool gave no such figure on all hosts"})
		return p
	}
	figures := []Figure{figure(c.metric, labelOf(c.metric), values, measured(r))}
	b.mark(r.Trial.ID, figures)
	p.Figure = &figures[0]
	if p.Hosts > 1 {
		p.hold(values, b.oneByOne(c, r))
	}
	return p
}

// hold compares the totals with what the hosts reach one at a time.
func (p *ScalingPoint) hold(totals, alone []float64) {
	p.Alone = stats.Median(alone)
	ratio, ok := stats.Ratio(alone, totals, stats.Confidence)
	if len(alone) == 0 || !ok {
		p.Alone = 0
		return
	}
	p.Efficiency, p.Low, p.High = ratio.Center, ratio.Low, ratio.High
}

// oneByOne sums, repeat by repeat, what a result's hosts reach alone; nil if any
// of them has no trusted figure.
func (b *builder) oneByOne(c curveOf, r assay.Result) []float64 {
	var sums []float64
	for i, s := range multiclient.Subjects(r.Trial) {
		own, _ := b.ordinary(c, s)
		values := own.Values(c.metric)
		if len(values) == 0 || rejectedFigure(b.run, own.Trial.ID, c.metric) {
			return nil
		}
		if i == 0 {
			sums = make([]float64, len(values))
		}
		sums = sums[:min(len(sums), len(values))]
		for n := range sums {
			sums[n] += values[n]
		}
	}
	return sums
}

// values returns the repeats of each point that has a trusted figure.
func (b *builder) values(c curveOf, points []ScalingPoint) map[int][]float64 {
	all := map[int][]float64{}
	for _, r := range b.run.Results {
		for _, p := range points {
			if p.Trial == r.Trial.ID && p.Figure != nil && !p.Figure.Rejected {
				all[p.Hosts] = r.Values(c.metric)
			}
		}
	}
	return all
}
