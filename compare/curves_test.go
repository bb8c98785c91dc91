package compare

import (
	"math"
	"testing"

	"assay"
)

// timed adds a histogram to every repeat of a result; the warm-up's would spoil
// everything.
func timed(res assay.Result, bins ...assay.Bin) assay.Result {
	for i := range res.Repeats {
		own := bins
		if res.Repeats[i].N == 0 {
			own = []assay.Bin{{Upper: 3600, Count: 1e6}}
		}
		res.Repeats[i].Measurements = append(res.Repeats[i].Measurements,
			assay.Measurement{Metric: "storage.read.latency.mean", Unit: assay.Seconds, Value: 1, Histogram: own})
	}
	return res
}

// ramp returns n operations in each of a hundred bins of 1 ms.
func ramp(n int64) (bins []assay.Bin) {
	for i := range 100 {
		bins = append(bins, assay.Bin{Upper: float64(i+1) / 1000, Count: n})
	}
	return bins
}

func TestCurvesAddUpAllRepeatsOfAColumn(t *testing.T) {
	base := column(runOf("a", timed(reads(1, 6, 1e3), ramp(10)...)), runOf("b", timed(reads(2, 6, 1e3), ramp(20)...)))
	other := column(runOf("c", timed(reads(3, 6, 1e3), assay.Bin{Upper: .5, Count: 100}, assay.Bin{Upper: .001, Count: 900})))
	columns := []Column{base, other}
	c := Compare(columns, Options{All: true})
	curves := Curves(c, columns)
	if len(curves) != 1 || curves[0].Direction != "read" {
		t.Fatalf("%d curves of %d rows of one trial: %+v", len(curves), len(c.Rows), curves)
	}
	if a, b := curves[0].Of[0].Count(), curves[0].Of[1].Count(); a != 6*100*(10+20) || b != 6*1000 {
		t.Errorf("%d and %d operations", a, b)
	}
	for _, test := range []struct {
		column  int
		p, want float64
	}{
		{0, 50, .05}, {0, 50.01, .051}, {0, 99, .099}, {0, 99.9, .1}, {1, 0, .001}, {1, 90, .001}, {1, 90.1, .5}, {1, 99, .5},
	} {
		if got, ok := curves[0].Of[test.column].Percentile(test.p); !ok || got != test.want {
			t.Errorf("column %d: %g %% took at most %g s (%v), want %g", test.column, test.p, got, ok, test.want)
		}
	}
	// Of 6,000 operations six lie beyond 99.9 %.
	if v, ok := curves[0].Of[1].Percentile(99.9); ok {
		t.Errorf("six operations make a percentile: %g", v)
	}
}

func TestStepsAreThePercentiles(t *testing.T) {
	h := Histogram(ramp(10))
	steps := h.Steps()
	if len(steps) != 99 {
		t.Fatalf("%d steps; the last of 100 bins has nothing beyond it", len(steps))
	}
	for i, s := range steps {
		if v, ok := h.Percentile(s[0]); !ok || v != s[1] || math.Abs(s[0]-float64(i+1)) > 1e-9 {
			t.Fatalf("step %d is %v, the percentile %g", i, s, v)
		}
	}
	if (Histogram)(nil).Steps() != nil {
		t.Error("nothing has steps")
	}
}

func TestWhatHasNoPartnerHasNoCurve(t *testing.T) {
	alone := func(other assay.Result) int {
		columns := []Column{column(runOf("a", timed(reads(1, 6, 1e3), ramp(10)...))), column(runOf("b", other))}
		return len(Curves(Compare(columns, Options{}), columns))
	}
	if n := alone(reads(2, 6, 1e3)); n != 0 {
		t.Errorf("%d curves where one column has no histogram", n)
	}
	unlike := timed(reads(2, 6, 1e3), ramp(10)...)
	for i := range unlike.Repeats {
		for j := range unlike.Repeats[i].Measurements {
			unlike.Repeats[i].Measurements[j].Labels = labels("4k", "direct", "0")
		}
	}
	if n := alone(unlike); n != 0 {
		t.Errorf("%d curves of what is refused", n)
	}
}

func TestARejectedRunIsNotInTheCurve(t *testing.T) {
	good, bad := runOf("a", timed(reads(1, 6, 1e3), ramp(10)...)), runOf("b", timed(reads(1, 6, 1e3), ramp(1000)...))
	bad.Findings = []assay.Finding{{Rule: "link-ceiling", Severity: assay.Rejects, Subject: bad.Results[0].Trial.ID}}
	columns := []Column{column(good, bad), column(runOf("c", timed(reads(2, 6, 1e3), ramp(10)...)))}
	curves := Curves(Compare(columns, Options{}), columns)
	if len(curves) != 1 || curves[0].Of[0].Count() != 6000 {
		t.Errorf("%+v", curves)
	}
}
