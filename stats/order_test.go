package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// upTo returns 1 to n.
func upTo(n int) []float64 {
	var values []float64
	for i := range n {
		values = append(values, float64(i+1))
	}
	return values
}

func TestPosition(t *testing.T) {
	for _, c := range []struct {
		name           string
		places, values []float64
		p, least       float64
	}{
		{"one order of 720, and its mirror", upTo(6), upTo(6), 2. / 720, 2. / 720},
		{"falling is an effect too", upTo(6), []float64{6, 5, 4, 3, 2, 1}, 2. / 720, 2. / 720},
		// The sum of squared rank differences is 2: five orders have that, and one has 0.
		{"two neighbours changed", upTo(6), []float64{1, 2, 4, 3, 5, 6}, 12. / 720, 2. / 720},
		{"the unit of a place is nothing", []float64{.1, .2, .3, 7, 8, 9}, []float64{1, 2, 4, 3, 5, 6}, 12. / 720, 2. / 720},
		// Three of six values come first: 20 ways, two of them extreme.
		{"two places", []float64{0, 0, 0, 1, 1, 1}, upTo(6), 2. / 20, 2. / 20},
		// Rank sum 7 of 6 … 15: up to 7 there are 1+1 ways of 20, and as many on the other side.
		{"two places, not quite", []float64{0, 0, 1, 0, 1, 1}, upTo(6), 4. / 20, 2. / 20},
	} {
		got, ok := Position(c.places, c.values, 1)
		if !ok || got.N != len(c.values) || math.Abs(got.P-c.p) > 1e-12 || math.Abs(got.Least-c.least) > 1e-12 {
			t.Errorf("%s: %+v, %v; want p %g of at least %g", c.name, got, ok, c.p, c.least)
		}
	}
	got, _ := Position([]float64{0, 0, 0, 2, 2, 2}, []float64{100, 101, 102, 110, 111.1, 112.2}, 1)
	near(t, "last place to first", got.Ratio, 1.1, 1e-9)
}

func TestCarryOver(t *testing.T) {
	for _, c := range []struct {
		name     string
		before   string
		values   []float64
		n, times int
		after    string
		p, least float64
	}{
		{"two of three", "aaabbb", upTo(6), 6, 3, "a", 2. / 20, 2. / 20},
		// 90 ways to deal out three pairs; in 6 of them the pairs stay together in order.
		{"three pairs", "aabbcc", upTo(6), 6, 2, "a", 6. / 90, 6. / 90},
		{"two of four", "abababab", []float64{1, 5, 2, 6, 3, 7, 4, 8}, 8, 4, "a", 2. / 70, 2. / 70},
		// b, c and d came once: they count as one.
		{"those that came once are one", "aaabcd", upTo(6), 6, 3, "a", 2. / 20, 2. / 20},
		{"who came once and alone is left out", "aaabbbz", upTo(7), 6, 3, "a", 2. / 20, 2. / 20},
		{"unknown is left out", "aaab.bb.", upTo(8), 6, 3, "a", 2. / 20, 2. / 20},
	} {
		var before []string
		for _, name := range c.before {
			if name == '.' {
				before = append(before, "")
			} else {
				before = append(before, string(name))
			}
		}
		got, ok := CarryOver(before, c.values, 1)
		if !ok || got.N != c.n || got.Times != c.times || got.After != c.after || math.Abs(got.P-c.p) > 1e-12 || math.Abs(got.Least-c.least) > 1e-12 {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, ok, c)
		}
	}
	slow := []string{"x", "w", "y", "w", "x", "w", "y", "x"}
	got, _ := CarryOver(slow, []float64{100, 131, 101, 132.31, 102, 133.62, 101, 101}, 1)
	if got.After != "w" || got.Times != 3 {
		t.Errorf("after %s, %d times", got.After, got.Times)
	}
	near(t, "after w to others", got.Ratio, 1.31, 1e-9)
}

func TestDrift(t *testing.T) {
	var values []float64
	for i := range 6 {
		values = append(values, 100*math.Pow(1.02, float64(i)))
	}
	got, ok := Drift(values)
	if !ok || math.Abs(got.P-2./720) > 1e-12 || math.Abs(got.Least-2./720) > 1e-12 {
		t.Errorf("%+v, %v", got, ok)
	}
	near(t, "last to first", got.Ratio, math.Pow(1.02, 5), 1e-9)
	if got, ok := Drift([]float64{-1, 0, 1, 2, 3, 4}); !ok || got.Ratio != 0 {
		t.Errorf("values below 0 have no ratio: %+v, %v", got, ok)
	}
}

// For any input, an answer is a p between the least and 1, the same for the same
// seed, and input without data is refused.
func TestOrderTestsAreTotal(t *testing.T) {
	number := rapid.OneOf(rapid.SampledFrom([]float64{0, 1, -1, math.NaN(), math.Inf(1), math.MaxFloat64, 5e-324}), rapid.Float64Range(-5, 5))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 14).Draw(t, "n")
		values := rapid.SliceOfN(number, n, n).Draw(t, "values")
		places := rapid.SliceOfN(number, n, n).Draw(t, "places")
		before := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "c", "d"}), n, n).Draw(t, "before")
		check := func(o OrderTest, ok bool) {
			if ok != (o.N >= LeastForOrder) || ok && !(o.P >= o.Least*(1-1e-9) && o.P <= 1) || !Finite(o.Ratio) || o.Ratio < 0 {
				t.Fatalf("%+v, %v", o, ok)
			}
		}
		d, ok := Drift(values)
		check(d, ok)
		p, ok := Position(places, values, 3)
		check(p, ok)
		c, ok := CarryOver(before, values, 3)
		check(c.OrderTest, ok)
		if again, _ := CarryOver(before, values, 3); again != c {
			t.Fatalf("%+v, and then %+v", c, again)
		}
	})
	if _, ok := Position(upTo(7), upTo(6), 1); ok {
		t.Error("seven places of six values")
	}
	if _, ok := CarryOver(make([]string, 7), upTo(6), 1); ok {
		t.Error("seven predecessors of six values")
	}
}

// A sampled p matches the exact one as closely as sampling can.
func TestDrawnOrdersAgreeWithAll(t *testing.T) {
	// 9! / (3! 3! 3!) = 1,680 orders: exact. Then the same by sampling alone.
	things := []int{0, 0, 1, 0, 1, 1, 2, 2, 2}
	extreme := func(order []int) float64 {
		sum := 0.
		for i, thing := range order {
			sum += float64(i * thing)
		}
		return math.Abs(sum - 36)
	}
	p, _ := dealtAnew(things, extreme, 1)
	hits, random := 0., rand.New(rand.NewPCG(9, 9))
	const tries = 300
	for range tries {
		hits += drawn(append([]int(nil), things...), extreme, extreme(things), random)
	}
	// A single p has a standard error of p / sqrt(20) if sampling ends early, and
	// p sqrt(1/(20000 p)) if it does not.
	if mean := hits / tries; math.Abs(mean/p-1) > .06 {
		t.Errorf("drawn %g on average, exactly %g", mean, p)
	}
}

// simulated is one of several figures measured in turn, in rounds of random
// order.
type simulated struct {
	values, places []float64
	before         []string
}

// takeTurns runs trials in turn and returns what the first of them measured: with
// noise of 3 %, and the effect of its round (0..1), its place (0..1) and its
// predecessor.
func takeTurns(random *rand.Rand, trials, rounds int, effect func(round, place float64, before int) float64) (s simulated) {
	last := trials - 1
	for round := range rounds {
		for place, trial := range random.Perm(trials) {
			if trial == 0 {
				at := float64(place) / float64(trials-1)
				s.values = append(s.values, 100*math.Exp(.03*random.NormFloat64())*effect(float64(round)/float64(rounds-1), at, last))
				s.places = append(s.places, at)
				s.before = append(s.before, string(rune('a'+last)))
			}
			last = trial
		}
	}
	return s
}

// alarms returns how often each test has p below .05.
func alarms(seed uint64, tries, trials, rounds int, effect func(round, place float64, before int) float64) (drift, position, carry float64) {
	random := rand.New(rand.NewPCG(seed, 5))
	add := func(sum *float64, o OrderTest, ok bool) {
		if ok && o.P < .05 {
			*sum += 1 / float64(tries)
		}
	}
	for i := range uint64(tries) {
		s := takeTurns(random, trials, rounds, effect)
		d, ok := Drift(s.values)
		add(&drift, d, ok)
		p, ok := Position(s.places, s.values, i)
		add(&position, p, ok)
		c, ok := CarryOver(s.before, s.values, i)
		add(&carry, c.OrderTest, ok)
	}
	return drift, position, carry
}

// With pure noise, and also with a drifting figure, at most one in twenty is an
// alarm: a drift is not attributed to the place or the predecessor.
func TestOrderTestsAreCalibrated(t *testing.T) {
	const tries = 1500
	most := .05 + 3*math.Sqrt(.05*.95/tries)
	for _, c := range []struct{ trials, rounds int }{{2, 8}, {2, 12}, {4, 12}, {5, 20}, {12, 24}} {
		quiet := func(float64, float64, int) float64 { return 1 }
		drift, position, carry := alarms(1, tries, c.trials, c.rounds, quiet)
		if drift > most || position > most || carry > most {
			t.Errorf("%d trials in %d rounds of noise: drift %.3f, position %.3f, carry-over %.3f are alarms", c.trials, c.rounds, drift, position, carry)
		}
		drifts := func(round, _ float64, _ int) float64 { return 1 + .2*round }
		drift, position, carry = alarms(2, tries, c.trials, c.rounds, drifts)
		if position > most || carry > most || drift < .8 {
			t.Errorf("%d trials in %d rounds that drift by 20 %%: drift %.3f; position %.3f and carry-over %.3f are alarms", c.trials, c.rounds, drift, position, carry)
		}
	}
}

// An effect five times the noise is found in nine of ten runs by the test meant
// for it. A dozen rounds are enough, except for the effect of one of four
// predecessors, which occurs only three times in a dozen rounds.
func TestOrderTestsFindAnEffect(t *testing.T) {
	const tries = 300
	_, _, carry := alarms(3, tries, 4, 18, func(_, _ float64, before int) float64 {
		if before == 2 {
			return .85
		}
		return 1
	})
	_, position, _ := alarms(4, tries, 4, 12, func(_, place float64, _ int) float64 { return 1 + .15*place })
	drift, _, _ := alarms(5, tries, 4, 12, func(round, _ float64, _ int) float64 { return 1 + .15*round })
	if carry < .9 || position < .9 || drift < .9 {
		t.Errorf("carry-over %.3f, position %.3f, drift %.3f", carry, position, drift)
	}
}
