package analysis

import (
	"cmp"
	"slices"

	"assay"
	"assay/internal/order"
)

// Suggestion is one change and its effects.
type Suggestion struct {
	Changes []Change
	Effects []Prediction // gains only, the greatest first
}

// worthwhile is the least gain worth suggesting, also at the lower end of its interval.
const worthwhile = 1.2

// Suggest finds the changes that would help, cheapest first. If there are several, it
// also tries them together.
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
		if p.Gain() >= worthwhile && p.Then.Low >= worthwhile*p.Now {
			s.Effects = append(s.Effects, p)
		}
	}
	order.Stable(s.Effects, func(x, y Prediction) int { return cmp.Compare(y.Gain(), x.Gain()) })
	return s
}

// candidates returns the changes to try: a faster link for every host or node with
// replicated storage, and drives with power-loss protection where flushes dominate a
// write. It never suggests fewer replicas or writes that are not durable.
func candidates(run assay.Run) []Change {
	b := builderOf(run)
	var out []Change
	add := func(c Change) {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	for _, p := range b.predictions() {
		s := b.result(p.Trial).Trial.Subject
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
	order.Stable(out, func(x, y Change) int {
		return slices.Index(changeKinds, x.What) - slices.Index(changeKinds, y.What)
	})
	return out
}

// nextSpeed returns the Ethernet speed that people buy next.
func nextSpeed(bits float64) float64 {
	for _, speed := range []float64{10e9, 25e9, 100e9} {
		if bits < .5*speed {
			return speed
		}
	}
	return 400e9
}

// suggestionPoint returns the change that concludes the verdict on tiers and
// clusters.
func (f Found) suggestionPoint() []Point {
	if f.Tiers == nil && f.Side == nil {
		return nil
	}
	if all := Suggest(f.Run); len(all) > 0 {
		return []Point{{Next, all[0]}}
	}
	return nil
}
