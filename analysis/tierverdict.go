package analysis

import (
	"maps"
	"math"
	"slices"
	"strings"

	"assay/compare"
)

// tierPoints returns what tiers show: what binds each, how it compares with the base,
// and what not to trust.
func (f Found) tierPoints() points {
	p := points{
		wrong:  slices.Concat(f.interrupted(), f.cachedAbove(), f.awayPoints()),
		doubts: slices.Concat(f.company(), f.rejected()),
		next:   f.nextStep(),
	}
	if f.Side != nil {
		// Tiers are not expected to be alike.
		p.wrong = append(p.wrong, f.standingOut()...)
	}
	p.wrong = append(p.wrong, f.health()...)
	var beyond []Point
	for _, b := range f.Tiers.Binds {
		switch tone := b.Says.Tone(); tone {
		case Limit:
			p.limits = append(p.limits, Point{tone, b})
		case Doubt:
			beyond = append(beyond, Point{tone, b})
		}
	}
	wrong, slow, idle := f.misfitPoints()
	p.wrong, p.limits = slices.Concat(p.wrong, f.slowOSDPoints(), wrong), append(p.limits, slow...)
	p.limits = few(append(p.limits, f.poolPoints()...), "limit")
	p.doubts = append(p.doubts, few(beyond, "limit")...)
	p.rest, p.aside = slices.Concat(idle, f.compared()), slices.Concat(f.lacking(), f.Known.Points())
	return p
}

// poolPoints returns the points on pools that no hardware binds: for each direction the
// result with the most clients, since fewer are expected to get less.
func (f Found) poolPoints() []Point {
	last := map[[2]string]int{} // by tier and metric
	for i, b := range f.Tiers.Binds {
		tier, _, _ := strings.Cut(b.Column, ",")
		last[[2]string{tier, b.Metric}] = i
	}
	var all []Point
	for _, i := range slices.Sorted(maps.Values(last)) {
		if b := f.Tiers.Binds[i]; b.Pool && b.Says.Tone() == Note {
			all = append(all, Point{Note, b})
		}
	}
	return all
}

// compared returns how each tier compares with the base.
func (f Found) compared() []Point {
	var all []Point
	var storage []string
	for _, t := range f.Tiers.Tables {
		columns := t.Columns
		switch t.ID {
		case StorageTiers:
			storage = columns
		case BesideTiers: // the others were compared with the base already
			columns = slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return slices.Contains(storage, c) })
		}
		all = append(all, t.comparisons(columns)...)
	}
	return few(all, "tier")
}

// Tone returns how important a binding is to the reader.
func (b Binding) Tone() Tone {
	switch b {
	case ClientBinds, HolderBinds, LimitBinds:
		return Limit
	case BeyondLimit:
		return Doubt
	case NoLimit:
		return Next
	}
	return Note
}

// mostTiers is the most points of one kind in a verdict.
const mostTiers = 6

// few returns the first of many points, and a count of the rest.
func few(all []Point, what string) []Point {
	if len(all) <= mostTiers {
		return all
	}
	return append(slices.Clone(all[:mostTiers-1]), Point{Note, More{len(all) - mostTiers + 1, what}})
}

// Than is how one figure compares with another.
type Than string

// The comparisons, in the order in which they are reported.
const (
	Faster Than = "faster"
	Slower Than = "slower"
	Higher Than = "higher"
	Lower  Than = "lower"
)

// ThanBase returns the comparison that a verdict stands for.
func ThanBase(v compare.Verdict) Than {
	switch v {
	case compare.Faster, compare.IsBetter:
		return Faster
	case compare.Slower, compare.IsWorse:
		return Slower
	case compare.IsHigher:
		return Higher
	}
	return Lower
}

// Range is the range of ratios for one comparison, as factors above 1; a figure
// that is zero, or compared with zero, has none.
type Range struct {
	Than      Than
	Titles    []string
	Low, High float64 // 0 if there is none
	Likely    bool    // some of them rest on a model
}

func (r *Range) add(a *compare.Against, title string) {
	r.Titles, r.Likely = append(r.Titles, title), r.Likely || a.Likely
	if a.Ratio > 0 && !math.IsInf(a.Ratio, 0) {
		factor := max(a.Ratio, 1/a.Ratio)
		if r.High == 0 {
			r.Low = factor
		}
		r.Low, r.High = min(r.Low, factor), max(r.High, factor)
	}
}

// comparisons summarises each column against the base, by the headlines of the
// cases.
func (t TierTable) comparisons(columns []string) []Point {
	var out []Point
	for i, name := range t.Columns {
		if !slices.Contains(columns, name) {
			continue
		}
		c := Compared{Column: name, Base: t.Base}
		ways := []Range{{Than: Faster}, {Than: Slower}, {Than: Higher}, {Than: Lower}}
		for _, r := range t.Rows {
			a := r.Cells[i].Against
			switch {
			case !r.Headline || a == nil:
			case a.Verdict == compare.Equivalent:
				c.Same = append(c.Same, r.Title)
			case r.Cells[i].Same():
				c.Open = append(c.Open, r.Title)
			default:
				than := ThanBase(a.Verdict)
				ways[slices.IndexFunc(ways, func(w Range) bool { return w.Than == than })].add(a, r.Title)
			}
		}
		c.Ways = slices.DeleteFunc(ways, func(w Range) bool { return len(w.Titles) == 0 })
		if len(c.Ways)+len(c.Same)+len(c.Open) > 0 {
			out = append(out, Point{Note, c})
		}
	}
	return out
}
