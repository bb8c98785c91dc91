package analysis

import (
	"cmp"
	"slices"

	"assay"
	"assay/internal/order"
)

// Suggestion is one change with what it would bring.
type Suggestion struct {
	Changes []Change
	Effects []Prediction // only what gains, the greatest gain first
}

// worthwhile is the least gain that is suggested, at the lower end of its interval too.
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
		if p.Gain() >= worthwhile && p.Then.Low >= worthwhile*p.Now {
			s.Effects = append(s.Effects, p)
		}
	}
	order.Stable(s.Effects, func(x, y Prediction) int { return cmp.Compare(y.Gain(), x.Gain()) })
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
