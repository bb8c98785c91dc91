package hypotheses

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"assay/internal/order"
)

// Certainty says how sure a cause is.
type Certainty string

// Certain needs a clue that proves it: the mechanism itself was seen.
const (
	Certain    Certainty = "certain"
	VeryLikely Certainty = "very likely" // from likelyFrom
	Possible   Certainty = "possible"    // from possibleFrom
	Undecided  Certainty = "undecided"
)

const (
	likelyFrom   = .9
	possibleFrom = .6
	rivalFrom    = .1    // least probability of a rival worth naming
	chance       = .0005 // that a figure stands out without any fault: the analysis makes sure of it
	needed       = 5     // how much likelier a second fault must make the figures
	mostCauses   = 3     // of one suspect
	mostRivals   = 2
)

// Cause is a fault of a suspect.
type Cause struct {
	*Hypothesis // nil fields where nothing explains it: see Known
	Certainty   Certainty
	Probability float64
	Explains    []Load
	Evidence    []string // what the clues show
	Rivals      []Rival  // other faults still possible, likeliest first
	RuledOut    []Ruled  // would explain the figures, but a fact rules them out
	Tested      []string // deciding cases that were measured
}

// Rival is another fault that would explain the same.
type Rival struct {
	*Hypothesis
	Probability float64
}

// Ruled is a fault that a fact rules out.
type Ruled struct {
	*Hypothesis
	Why string
}

// Known reports whether it is a named fault.
func (c Cause) Known() bool { return !isUnexplained(c.Hypothesis) }

func isUnexplained(h *Hypothesis) bool { return strings.HasSuffix(h.ID, unknownSuffix) }

// candidate is a fault as the clues alone judge it.
type candidate struct {
	*Hypothesis
	weight float64   // logarithm of its odds before the figures
	slow   []float64 // probability that it slows each of the scale's loads
	says   []string
	proven bool
	denied string // the fact that speaks against it
}

// Weigh returns the faults that explain what was seen of a suspect, likeliest first.
// It assumes several faults only if one does not explain everything: each must
// outweigh how rare it is.
func Weigh(s *Suspect) []Cause {
	w := scaleOf(s)
	all := w.candidates()
	best := w.heaviest(all)
	var out []Cause
	for i, c := range best {
		out = append(out, w.judge(all, best, i, c))
	}
	order.Stable(out, func(a, b Cause) int { return cmp.Compare(b.Probability, a.Probability) })
	return out
}

// scale is what faults are weighed by: the observed loads, in a fixed order.
type scale struct {
	*Suspect
	loads []Load
	odd   []bool
}

func scaleOf(s *Suspect) scale {
	w := scale{Suspect: s, loads: slices.Sorted(maps.Keys(s.Seen))}
	for _, l := range w.loads {
		w.odd = append(w.odd, s.Seen[l].Odd)
	}
	return w
}

// candidates returns the faults that explain something, and the standing ones
// that are proven.
func (w scale) candidates() []candidate {
	var all []candidate
	for i := range All {
		h := &All[i]
		if (h.Of == OfPath) != (w.Peer != "") {
			continue
		}
		c := w.look(h)
		if w.mayExplain(c) || h.Standing && c.proven {
			all = append(all, c)
		}
	}
	return all
}

// look evaluates all clues of a fault.
func (w scale) look(h *Hypothesis) candidate {
	c := candidate{Hypothesis: h, weight: math.Log(h.Usual / 1000)}
	for _, l := range w.loads {
		c.slow = append(c.slow, h.Slows.of(l))
	}
	for _, clue := range h.Clues {
		a := clue.Ask(w.Suspect)
		switch a.Is {
		case Yes:
			c.weight += math.Log(clue.If / clue.Else)
			c.proven = c.proven || clue.Proves
			if clue.Says != "" {
				c.says = append(c.says, clue.say(a))
			}
		case No:
			c.weight += math.Log((1 - clue.If) / (1 - clue.Else))
			if clue.Proves && c.denied == "" {
				c.denied = cmp.Or(a.Own, "not seen")
			}
		}
	}
	return c
}

// mayExplain reports whether the fault may slow something that stands out.
func (w scale) mayExplain(c candidate) bool {
	for i, odd := range w.odd {
		if odd && c.slow[i] > never {
			return true
		}
	}
	return false
}

// weigh returns the logarithm of the likelihood that these faults exist and
// cause what was seen.
func (w scale) weigh(set ...candidate) float64 {
	sum := w.fit(set...)
	for _, c := range set {
		sum += c.weight
	}
	return sum
}

// fit returns the logarithm of the likelihood of the figures under these faults. What a
// fault slows occasionally, it slows together or not at all, depending on how severe it
// is: several such figures that are fine are not independent evidence against it, and
// count half.
func (w scale) fit(set ...candidate) float64 {
	sum := 0.
	for i, odd := range w.odd {
		well := 1 - chance
		for _, c := range set {
			well *= 1 - c.slow[i]
		}
		switch {
		case odd:
			sum += math.Log(1 - well)
		case well >= .5:
			sum += math.Log(well) / 2
		default:
			sum += math.Log(well)
		}
	}
	return sum
}

// heaviest returns the set of faults that outweighs all others: it tries all sets
// of one or two, then adds one at a time while that helps.
func (w scale) heaviest(all []candidate) []candidate {
	var best []candidate
	most := w.weigh()
	try := func(set ...candidate) {
		if v := w.weigh(set...); v > most+1e-9 && w.allNeeded(set) {
			best, most = slices.Clone(set), v
		}
	}
	for i := range all {
		try(all[i])
		for j := range i {
			try(all[j], all[i])
		}
	}
	for len(best) >= 2 && len(best) < mostCauses {
		before := best
		for _, c := range all {
			if !holds(before, c) {
				try(append(slices.Clone(before), c)...)
			}
		}
		if len(best) == len(before) {
			break
		}
	}
	return withStanding(best, all)
}

// allNeeded reports whether the figures are much less likely without any one of several
// faults: two facts may be true, and one of them explain everything.
func (w scale) allNeeded(set []candidate) bool {
	whole := w.fit(set...)
	for i := range set {
		if without := slices.Delete(slices.Clone(set), i, i+1); len(set) > 1 && whole-w.fit(without...) < math.Log(needed) {
			return false
		}
	}
	return true
}

// withStanding adds proven faults that are worth reporting although they slow
// nothing.
func withStanding(best, all []candidate) []candidate {
	for _, c := range all {
		if c.Standing && c.proven && !holds(best, c) {
			best = append(best, c)
		}
	}
	return best
}

func holds(set []candidate, c candidate) bool {
	return slices.ContainsFunc(set, func(x candidate) bool { return x.Hypothesis == c.Hypothesis })
}

// judge returns how certain one of the causes is, weighed against each other fault
// that could take its place.
func (w scale) judge(all, best []candidate, at int, own candidate) Cause {
	c := Cause{Hypothesis: own.Hypothesis, Evidence: own.says, Explains: w.explained(best, at), Tested: slices.Sorted(maps.Keys(w.Tested))}
	mine := w.weigh(best...)
	sum := 1.
	for _, other := range all {
		if holds(best, other) {
			continue
		}
		instead := slices.Clone(best)
		instead[at] = other
		share := math.Exp(w.weigh(instead...) - mine)
		sum += share
		if len(c.Explains) > 0 && other.covers(c.Explains) {
			if other.denied != "" && share < rivalFrom {
				c.RuledOut = append(c.RuledOut, Ruled{other.Hypothesis, other.denied})
			} else if !isUnexplained(other.Hypothesis) {
				c.Rivals = append(c.Rivals, Rival{other.Hypothesis, share})
			}
		}
	}
	c.Probability = 1 / sum
	for i := range c.Rivals {
		c.Rivals[i].Probability /= sum
	}
	order.Stable(c.Rivals, func(a, b Rival) int { return cmp.Compare(b.Probability, a.Probability) })
	c.Rivals = slices.DeleteFunc(c.Rivals, func(r Rival) bool { return r.Probability < rivalFrom })
	c.Rivals = c.Rivals[:min(len(c.Rivals), mostRivals)]
	if len(c.Explains) == 0 {
		c.Probability, c.Rivals = 1, nil // proven, whatever the figures
	}
	c.Certainty = certainty(c.Probability, own.proven)
	return c
}

func certainty(p float64, proven bool) Certainty {
	switch {
	case p >= likelyFrom && proven:
		return Certain
	case p >= likelyFrom:
		return VeryLikely
	case p >= possibleFrom:
		return Possible
	}
	return Undecided
}

// covers reports whether a fault could have slowed all of these loads.
func (c candidate) covers(loads []Load) bool {
	return !slices.ContainsFunc(loads, func(l Load) bool { return c.Slows.of(l) <= never })
}

// explained returns the loads that stand out and that, of these faults, this one
// explains best.
func (w scale) explained(set []candidate, at int) []Load {
	var out []Load
	for i, l := range w.loads {
		own := set[at].slow[i]
		likelier := func(c candidate) bool { return c.Hypothesis != set[at].Hypothesis && c.slow[i] > own }
		if w.odd[i] && own > never && !slices.ContainsFunc(set, likelier) {
			out = append(out, l)
		}
	}
	return out
}
