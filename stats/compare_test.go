package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// about returns n values evenly spread around middle, by up to that share of it
// either way.
func about(middle, share float64, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = middle * (1 + share*(2*float64(i)/float64(n-1)-1))
	}
	return xs
}

func TestCompareVerdicts(t *testing.T) {
	for _, c := range []struct {
		name        string
		base, other []float64
		verdict     Verdict
		why         string
		more        bool
	}{
		{"a tenth more", about(100, .02, 10), about(110, .02, 10), Different, "", false},
		{"half as much", about(100, .02, 4), about(50, .02, 4), Different, "", false},
		{"the same within a percent", about(100, .01, 10), about(100.2, .01, 10), Equivalent, "", false},
		{"a difference within the margin", about(100, .001, 10), about(102, .001, 10), Equivalent, "", false},
		{"scattered", about(100, .1, 6), about(106, .1, 6), Undetermined, "the interval lies neither inside nor outside ± 3 %", true},
		{"3 v 3, far apart", about(100, .01, 3), about(200, .01, 3), Different, "", false},
		{"3 v 3", about(100, .1, 3), about(150, .1, 3), Undetermined, "3 and 3 repeats are too few for an interval at level 0.95", true},
		{"1 v 1", []float64{1}, []float64{2}, Undetermined, "1 and 1 repeats are too few", true},
		{"3 v 5 is enough", about(100, .01, 3), about(200, .01, 5), Different, "", false},
		{"none", nil, about(1, .1, 5), Undetermined, "no values to compare: 0 and 5", true},
		{"nothing but 0", repeated(0, 6), repeated(0, 6), Equivalent, "", false},
		{"0 becomes 500", repeated(0, 6), about(500, .1, 6), Different, "", false},
		{"one of ten is not 0", append(repeated(0, 9), 4), repeated(0, 10), Equivalent, "", false},
		{"below 0", about(-100, .01, 6), about(-120, .01, 6), Different, "", false},
		{"far beyond", repeated(-math.MaxFloat64, 6), repeated(math.MaxFloat64, 6), Undetermined, "too far apart", false},
		{"huge", about(1e307, .01, 6), about(1.5e307, .01, 6), Different, "", false},
	} {
		got := Compare(c.base, c.other)
		if got.Verdict != c.verdict || !strings.Contains(got.Why, c.why) || (got.Why == "") != (c.why == "") || (got.More > 0) != c.more {
			t.Errorf("%s: %q because %q, %d more; want %q because %q\n%+v", c.name, got.Verdict, got.Why, got.More, c.verdict, c.why, got)
		}
		turned := Compare(c.other, c.base)
		if turned.Verdict != got.Verdict || turned.More != got.More {
			t.Errorf("%s, turned round: %q, %d more, not %q, %d", c.name, turned.Verdict, turned.More, got.Verdict, got.More)
		}
	}
}

func TestCompareNumbers(t *testing.T) {
	got := Compare(exampleY, append([]float64{math.NaN(), math.Inf(1)}, exampleX...))
	near(t, "p", got.P, .2544123, 5e-8)
	near(t, "difference", got.Difference.Center, .305, 1e-12)
	near(t, "level", got.Difference.Level, .96004, 5e-6)
	ratio, _ := Ratio(exampleY, exampleX, Confidence)
	if !got.HasRatio || got.Ratio != ratio || !got.Exact || got.PHolm != got.P || got.Base.N != 5 || got.Other.N != 10 {
		t.Errorf("%+v, want ratio %+v", got, ratio)
	}
	if len(got.Warnings) != 1 || got.Warnings[0] != "other: 2 of 12 values are not finite and were left out" {
		t.Errorf("warnings %q", got.Warnings)
	}
	if none := Compare(about(0, 0, 6), about(5, .1, 6)); none.HasRatio || none.Ratio != (Interval{}) {
		t.Errorf("zeros have no ratio: %+v", none.Ratio)
	}
}

func TestJudgeTogether(t *testing.T) {
	// p is .0286 for 4 v 4: different alone, but not among three.
	apart := Compare(about(100, .01, 4), about(120, .01, 4))
	few := Compare(about(1, .1, 2), about(2, .1, 2))
	if apart.Verdict != Different {
		t.Fatalf("alone: %+v", apart)
	}
	family := []Comparison{apart, few, apart}
	Judge(family, Margin)
	for _, i := range []int{0, 2} {
		c := family[i]
		if c.Verdict != Undetermined || c.Why != "p is 0.057 after correction for 2 comparisons" || c.More != 1 {
			t.Errorf("among two that ask: %q because %q, %d more", c.Verdict, c.Why, c.More)
		}
		near(t, "p", c.PHolm, 2*.0285714, 1e-7)
	}
	// Far apart, three of each are enough for the model of spread, which also makes up
	// for what ranks lose to multiple comparisons.
	far := Compare([]float64{83100, 83500, 84000}, []float64{312, 315, 320})
	family = []Comparison{far, apart, Compare(about(100, .01, 4), about(300, .01, 4)), apart}
	Judge(family, Margin)
	for _, i := range []int{0, 2} {
		if c := family[i]; c.Verdict != Different || !c.Likely || c.PHolm > 1e-3 || c.Why != "" || c.More != 0 {
			t.Errorf("far apart: %+v", c)
		}
	}
	if r := family[0].LikelyRatio; math.Abs(r.Center*265-1) > .01 || r.Low < 1/400. || r.High > 1/180. {
		t.Errorf("a factor of 265 is %+v", r)
	}
	if c := family[1]; c.Verdict != Undetermined || c.Likely {
		t.Errorf("a fifth apart is no matter of the model: %+v", c)
	}
	family = []Comparison{apart, few, apart}
	Judge(family, Margin)
	// Judged alone again, nothing of the family remains.
	Judge(family[:1], Margin)
	if family[0].Verdict != Different || family[0].Likely || family[0].Why != "" || family[0].More != 0 {
		t.Errorf("alone again: %+v", family[0])
	}
	wide := []Comparison{Compare(about(100, .02, 10), about(110, .02, 10))}
	Judge(wide, .2)
	if wide[0].Verdict != Equivalent {
		t.Errorf("a tenth is within a fifth: %+v", wide[0])
	}
	Judge(wide, 0)
	if wide[0].Verdict != Different {
		t.Errorf("without a margin: %+v", wide[0])
	}
	Judge(nil, Margin)
}

// No result is ever NaN, so that everything can be encoded as JSON.
func TestCompareIsTotal(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64}
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64(), rapid.Float64Range(90, 110), rapid.SampledFrom(odd))
		base := rapid.SliceOfN(value, 0, 12).Draw(t, "base")
		other := rapid.SliceOfN(value, 0, 12).Draw(t, "other")
		c := Compare(base, other)
		if _, err := json.Marshal(c); err != nil {
			t.Fatalf("%v: %+v", err, c)
		}
		if c.P < 0 || c.P > 1 || c.PHolm < c.P || c.More < 0 || c.More > MostMore {
			t.Fatalf("%+v", c)
		}
		if (c.Why == "") != (c.Verdict != Undetermined) || c.Verdict != Undetermined && c.More != 0 {
			t.Fatalf("%q because %q, %d more", c.Verdict, c.Why, c.More)
		}
		if turned := Compare(other, base); turned.Verdict != c.Verdict {
			t.Fatalf("%q, turned round %q", c.Verdict, turned.Verdict)
		}
	})
}

// normals returns n values with a spread that is a share of their middle.
func normals(random *rand.Rand, middle, share float64, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = middle * (1 + share*random.NormFloat64())
	}
	return xs
}

// Of samples that differ only by chance, at most one in twenty is called
// different; a tenth is found, and the interval holds the true ratio.
func TestCompareKeepsItsPromises(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 4))
	const trials = 1000
	alarms, found, held := 0, 0, 0
	for range trials {
		if Compare(normals(random, 100, .05, 10), normals(random, 100, .05, 10)).Verdict == Different {
			alarms++
		}
		c := Compare(normals(random, 100, .02, 10), normals(random, 110, .02, 10))
		if c.Verdict == Different {
			found++
		}
		if c.Ratio.Low <= 1.1 && 1.1 <= c.Ratio.High {
			held++
		}
	}
	if alarms > trials*5/100 || found < trials*99/100 || held < trials*93/100 || held > trials*98/100 {
		t.Errorf("of %d: %d false alarms, %d of a tenth found, %d intervals hold", trials, alarms, found, held)
	}
}

// The number of repeats from More decides about four of five cases if the
// spread and the ratio were well known.
func TestMoreIsAboutEnough(t *testing.T) {
	for _, truth := range []float64{1, 1.06, 1.15} {
		random := rand.New(rand.NewPCG(uint64(1000*truth), 1))
		const share, trials = .06, 300
		c := Comparison{Base: Summary{N: 4}, Other: Summary{N: 4}, HasRatio: true, spread: share}
		c.wide.center = math.Log(truth)
		more := c.more(c.band(Margin), 1)
		if more == 0 {
			t.Fatalf("ratio %v: nothing would do", truth)
		}
		decided := 0
		for range trials {
			n := 4 + more
			if Compare(normals(random, 100, share, n), normals(random, 100*truth, share, n)).Verdict != Undetermined {
				decided++
			}
		}
		if got := float64(decided) / trials; got < .5 || got > .97 {
			t.Errorf("ratio %v: %d more repeats decide %.2f of the cases", truth, more, got)
		}
	}
}
