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
	rivalFrom    = .1    // what is left beside a cause that is not sure
	chance       = .0005 // that a figure stands out without any fault: the analysis has made sure of it
	needed       = 5     // times as likely the figures must be with a second fault as without it
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
	Rivals      []Rival  // what is left beside it, the likelier first
	RuledOut    []Ruled  // what would have explained the figures, but for a fact
	Tested      []string // the cases that were measured to decide
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

// Known reports whether it is a fault that has a name.
func (c Cause) Known() bool { return !isUnexplained(c.Hypothesis) }

func isUnexplained(h *Hypothesis) bool { return strings.HasSuffix(h.ID, unknownSuffix) }

// candidate is a fault with what the clues alone make of it.
type candidate struct {
	*Hypothesis
	weight float64   // logarithm of its odds before the figures
	slow   []float64 // how likely it slows each of the scale's loads
	says   []string
	proven bool
	denied string // the fact that speaks against it
}

// Weigh says which faults explain what was seen of a suspect, the likeliest for the
// first. Several faults are believed only where one does not explain it all: each must
// outweigh how seldom it is.
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

// scale is what faults are weighed by: the loads that were seen, in one order.
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

// candidates are the faults that explain something, or that stand proven.
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

// look asks all clues of a fault.
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
				c.says = append(c.says, strings.NewReplacer("{own}", a.Own, "{theirs}", a.Theirs).Replace(clue.Says))
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

// weigh is the logarithm of how likely these faults are and make what was seen.
func (w scale) weigh(set ...candidate) float64 {
	sum := w.fit(set...)
	for _, c := range set {
		sum += c.weight
	}
	return sum
}

// fit is the logarithm of how likely these faults make the figures. What a fault slows
// now and then it slows together or not at all, by how grave it is: several such figures
// that are fine are not so many reasons against it, and count half.
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

// heaviest is the set of faults that outweighs all others: of one or two of them by
// trying all, and one more at a time where it helps.
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
// faults: two facts may be true, and one of them explain it all.
func (w scale) allNeeded(set []candidate) bool {
	whole := w.fit(set...)
	for i := range set {
		if without := slices.Delete(slices.Clone(set), i, i+1); len(set) > 1 && whole-w.fit(without...) < math.Log(needed) {
			return false
		}
	}
	return true
}

// withStanding adds what is proven and worth a word although nothing is slow for it.
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

// judge says how sure one of the causes is: against each other that could stand in its
// place.
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
		c.Probability, c.Rivals = 1, nil // it stands proven, whatever the figures
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

// covers reports whether a fault could have done all of that.
func (c candidate) covers(loads []Load) bool {
	return !slices.ContainsFunc(loads, func(l Load) bool { return c.Slows.of(l) <= never })
}

// explained are the loads that stand out and for which, of these faults, this one is the
// likeliest reason.
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
