package stats

import (
	"math"
	"slices"
)

// LeastForOrder is the minimum number of values for an effect of their order:
// with five, even the strictest order is too likely by chance to survive a
// correction.
const LeastForOrder = 6

// OrderTest tests whether the repeats of one figure depend on when they ran.
type OrderTest struct {
	N int     // number of values used
	P float64 // two-sided, for the order not mattering
	// Least is the smallest P possible for this many values with these turns: if
	// it exceeds the required level, the test cannot succeed and need not count
	// when p is corrected.
	Least float64
	// Ratio is the size of the effect; each test defines its terms. 0 if a
	// value is not above 0.
	Ratio float64
}

// CarryTest also names the predecessor that makes a difference.
type CarryTest struct {
	OrderTest
	// After is the predecessor that explains most: splitting the values into
	// those after it and all others leaves the smallest deviation from the
	// groups' medians.
	After string
	// Others is the predecessor of all the other values; "" if they had
	// several.
	Others string
	Times  int // how many of the N values came after it
}

// Drift reports whether values in chronological order rise or fall: P is that of
// Trend, Ratio the last to the first on the line through them. ok is false for
// fewer than LeastForOrder values, if one is not finite, and if all are equal.
//
// The line is that of Sen, Estimates of the Regression Coefficient Based on
// Kendall's Tau, 1968, through the logarithms.
func Drift(values []float64) (t OrderTest, ok bool) {
	n := len(values)
	if n < LeastForOrder || !allFinite(values) || alike(values) {
		return t, false
	}
	orders, _ := math.Lgamma(float64(n + 1))
	at := make([]float64, n)
	for i := range at {
		at[i] = float64(i)
	}
	return OrderTest{n, Trend(values), 2 * math.Exp(-orders), acrossTo(at, values)}, true
}

// Position reports whether values depend on their place in a round, whatever the
// unit of the places: P is that of Spearman's rank correlation under permutation of
// the places, Ratio the value at the greatest place to that at the least on Sen's
// line. If the order of each round is random, the permutation models what was
// really done, and a drift over the rounds raises no false alarm. ok is false as
// for Drift, and if all places are equal.
//
// Spearman, The Proof and Measurement of Association between Two Things, 1904.
func Position(places, values []float64, seed uint64) (t OrderTest, ok bool) {
	n := len(values)
	if n < LeastForOrder || len(places) != n || !allFinite(values) || !allFinite(places) || alike(values) || alike(places) {
		return t, false
	}
	of, sum := doubledRanks(values), n*(n+1) // the sum of the doubled ranks of n things
	t.N, t.Ratio = n, acrossTo(places, values)
	t.P, t.Least = dealtAnew(doubledRanks(places), func(places []int) float64 {
		together := 0
		for i, place := range places {
			together += place * of[i]
		}
		return math.Abs(float64(n*together - sum*sum))
	}, seed)
	return t, true
}

// CarryOver reports whether values depend on what ran right before each: before
// names it, "" if unknown, and those values are dropped. P is that of the
// Kruskal–Wallis test under permutation of the predecessors; Ratio is that of the
// values after After to all others. Predecessors that occur once form one group,
// since nothing can be said of each alone. ok is false as for Drift, and unless
// two groups have two values or more.
//
// Kruskal and Wallis, Use of Ranks in One-Criterion Variance Analysis, 1952.
func CarryOver(before []string, values []float64, seed uint64) (t CarryTest, ok bool) {
	if len(before) != len(values) || !allFinite(values) {
		return t, false
	}
	g := groupsBy(before, values)
	n := len(g.values)
	if n < LeastForOrder || len(g.sizes) < 2 || alike(g.values) {
		return t, false
	}
	ranks := doubledRanks(g.values)
	sums := make([]int, len(g.sizes))
	t.N = n
	t.P, t.Least = dealtAnew(g.of, func(groups []int) float64 {
		clear(sums)
		for i, group := range groups {
			sums[group] += ranks[i]
		}
		h := 0.
		for group, size := range g.sizes {
			off := float64(sums[group] - size*(n+1))
			h += off * off / float64(size)
		}
		return h
	}, seed)
	least := math.Inf(1)
	var after, others []float64
	for group, name := range g.names {
		if name == "" {
			continue
		}
		those, rest := g.split(group)
		if left := deviation(those) + deviation(rest); t.After == "" || left < least {
			least, t.After, t.Times = left, name, len(those)
			after, others = those, rest
			if t.Others = ""; len(g.names) == 2 {
				t.Others = g.names[1-group]
			}
		}
	}
	if r, has := Ratio(others, after, Confidence); has {
		t.Ratio = r.Center
	}
	return t, true
}

// grouped holds values grouped by predecessor.
type grouped struct {
	names  []string // of the groups; "" of those that came once
	sizes  []int    // two or more each
	values []float64
	of     []int // the group of each value
}

func groupsBy(before []string, values []float64) (g grouped) {
	count := map[string]int{}
	for _, name := range before {
		count[name]++
	}
	single := 0
	for name, times := range count {
		switch {
		case name == "":
		case times == 1:
			single++
		default:
			g.names = append(g.names, name)
		}
	}
	slices.Sort(g.names)
	if single > 1 {
		g.names = append(g.names, "")
	}
	g.sizes = make([]int, len(g.names))
	for i, name := range before {
		if name == "" {
			continue
		}
		if count[name] == 1 {
			name = ""
		}
		if group := slices.Index(g.names, name); group >= 0 {
			g.values, g.of = append(g.values, values[i]), append(g.of, group)
			g.sizes[group]++
		}
	}
	return g
}

// split returns the values of one group, and those of all others.
func (g grouped) split(group int) (those, rest []float64) {
	for i, of := range g.of {
		if of == group {
			those = append(those, g.values[i])
		} else {
			rest = append(rest, g.values[i])
		}
	}
	return those, rest
}

// deviation returns the sum of the values' absolute deviations from their
// median.
func deviation(values []float64) float64 {
	middle, sum := Median(values), 0.
	for _, v := range values {
		sum += math.Abs(v - middle)
	}
	return sum
}

// acrossTo returns the ratio of the values on Sen's line at the greatest and the
// least at; 0 if there is none.
func acrossTo(at, values []float64) float64 {
	heights, ok := logs(values)
	if !ok {
		return 0
	}
	var slopes []float64
	for i, y := range heights {
		for j := range i {
			if at[i] != at[j] {
				slopes = append(slopes, (y-heights[j])/(at[i]-at[j]))
			}
		}
	}
	ratio := math.Exp(Median(slopes) * (slices.Max(at) - slices.Min(at)))
	if !Finite(ratio) {
		return 0
	}
	return ratio
}

// doubledRanks returns twice the ranks of values, from 1, with ties sharing
// their mean: always whole numbers.
func doubledRanks(values []float64) []int {
	sorted := slices.Sorted(slices.Values(values))
	ranks := make([]int, len(values))
	for i, v := range values {
		below, _ := slices.BinarySearch(sorted, v)
		upTo, _ := slices.BinarySearch(sorted, math.Nextafter(v, math.Inf(1)))
		ranks[i] = below + upTo + 1
	}
	return ranks
}

func alike(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}
