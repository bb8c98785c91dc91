package stats

import (
	"math"
	"slices"
)

// LeastForOrder is how many values an effect of their order needs: of five, even
// the strictest order is too often chance to survive a correction.
const LeastForOrder = 6

// OrderTest says whether the repeats of one figure depend on when their turn was.
type OrderTest struct {
	N int     // values that it rests on
	P float64 // two-sided, of the order not mattering
	// Least is the least P that so many values with such turns can have: where it
	// is above the level that is asked for, the test could not come out and need
	// not be counted among those that p is corrected for.
	Least float64
	// Ratio is how large the effect is; what to what, each test says. 0 where a
	// value is not above 0.
	Ratio float64
}

// CarryTest says also after what a figure is another.
type CarryTest struct {
	OrderTest
	// After is the predecessor that explains most: where the values after it and
	// all others are two groups, they deviate the least from their medians.
	After string
	// Others is what all the other values came after, "" where they came after
	// several things.
	Others string
	Times  int // how many of the N values came after it
}

// Drift reports whether values that stand in the order of their time rise or fall:
// P is that of Trend, Ratio what the line through them makes of the last to the
// first. ok is false for fewer than LeastForOrder values, where one is not finite,
// and where all are the same.
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
// unit of the places: P is that of Spearman's rank correlation where the places
// are dealt out anew, Ratio what the line of Sen makes of the value at the greatest
// place to that at the least one. Where the order of each round is random, that is
// what was really done, and a drift over the rounds makes no false alarm. ok is
// false as for Drift, and where all places are the same.
//
// Spearman, The Proof and Measurement of Association between Two Things, 1904.
func Position(places, values []float64, seed uint64) (t OrderTest, ok bool) {
	n := len(values)
	if n < LeastForOrder || len(places) != n || !allFinite(values) || !allFinite(places) || alike(values) || alike(places) {
		return t, false
	}
	of, sum := doubledRanks(values), n*(n+1) // what the doubled ranks of n things add up to
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

// CarryOver reports whether values depend on what came right before each: before
// names it, "" where nobody knows, and such values are left out. P is that of the
// Kruskal–Wallis test where the predecessors are dealt out anew; Ratio is that of
// the values after After to all others. Predecessors that came once stand together
// as one group, for of each alone nothing can be said. ok is false as for Drift,
// and unless two groups have two values or more.
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

// grouped are values by what came before them.
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

// deviation is by how much values deviate from their median, all together.
func deviation(values []float64) float64 {
	middle, sum := Median(values), 0.
	for _, v := range values {
		sum += math.Abs(v - middle)
	}
	return sum
}

// acrossTo is what the line of Sen makes of the value at the greatest at to that at
// the least one; 0 where there is no such ratio.
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

// doubledRanks are twice the ranks of values, from 1, where ties share the mean
// of theirs: whole numbers.
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
