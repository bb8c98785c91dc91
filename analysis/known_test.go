package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/stats"
)

// repeated returns a result whose repeats took 6 s each.
func repeated(id string, values ...float64) assay.Result {
	host, _, _ := strings.Cut(id, "-")
	r := assay.Result{Trial: assay.Trial{ID: id, Title: id, Repeats: 6, Precision: .02, Length: 5 * time.Second, Subject: assay.Subject{Host: host}}}
	for i, v := range values {
		r.Repeats = append(r.Repeats, assay.Repeat{N: i + 1, Outcome: assay.Done, Elapsed: 6 * time.Second,
			Measurements: []assay.Measurement{{Metric: "cpu.events_per_second", Value: v}}})
	}
	return r
}

func TestKnown(t *testing.T) {
	calm, wild := []float64{99, 100, 100, 100, 101, 101}, []float64{96, 100, 100, 100, 102, 104}
	early := repeated("a-early", calm...)
	early.Repeats[0].Measurements = append(early.Repeats[0].Measurements, assay.Measurement{Metric: "tool.duration", Labels: map[string]string{"ended": "asked"}})
	absent := repeated("a-absent")
	absent.Trial.Absent = &assay.Absence{Word: assay.NoData}
	k := known(assay.Run{Elapsed: 132 * time.Second, Findings: []assay.Finding{
		{Rule: "cov", Severity: assay.Rejects, Subject: "a-rejected", Metrics: []string{"cpu.events_per_second"}},
		{Rule: "cov", Severity: assay.Rejects, Subject: "a-calm", Metrics: []string{"cpu.latency.mean"}},
	}, Results: []assay.Result{
		repeated("a-rejected", wild...),
		repeated("a-calm", calm...), early, repeated("a-few", 1, 2, 3), repeated("a-wild", wild...), repeated("b-wild", wild...), absent, repeated("a-nothing"),
	}})
	if k.Of != 5 || k.Met != 2 || k.Measured != 72 || k.Fixed != 360 || k.Ended != 1 || k.Wanted != .02 {
		t.Errorf("%+v", k)
	}
	// ± 4 % is twice as wide as wanted: it needs four times the repeats, 18 more of 6
	// s, and three times as many to be sure. Three repeats allow no estimate, so
	// there is no total either.
	if len(k.Open) != 3 || k.Open[0].Trial != "a-few" || k.Open[0].Wide != 0 || k.Open[0].More != 3 || k.Open[1].More != 18 || k.Open[1].Needs != 324 || k.Open[0].Needs != 0 || k.Needs != 0 {
		t.Errorf("%+v", k.Open)
	}
	if known(assay.Run{Results: []assay.Result{absent}}) != nil {
		t.Error("nothing was wanted, and something is said")
	}
}

// The hosts ran in parallel and still will: 12 repeats of 6 s took 48 s.
func TestTimeThatIsEnough(t *testing.T) {
	wild := []float64{96, 100, 100, 100, 102, 104}
	run := assay.Run{Elapsed: 48 * time.Second, Results: []assay.Result{repeated("a-wild", wild...), repeated("b-wild", wild...)}}
	if k := known(run); k.Needs != 2*324*48./72 {
		t.Errorf("%v s", k.Needs)
	}
	for rule, told := range map[string]bool{"order-effect": false, "noisy-neighbour": false, "cov": true} {
		run.Findings = []assay.Finding{{Rule: rule, Severity: assay.Warns, Subject: "b-wild"}}
		if k := known(run); (k.Needs > 0) != told {
			t.Errorf("%s: %v s more", rule, k.Needs)
		}
	}
}

// Following the advice on time achieves what it promises in at least three of four
// cases.
func TestAdviceOnTimeIsTrue(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{6, 8, 12} {
		for _, spread := range []float64{.015, .03, .06} {
			advised, kept := 0, 0
			for range 300 {
				draw := func(n int) (values []float64) {
					for range n {
						values = append(values, 100*math.Exp(spread*random.NormFloat64()))
					}
					return values
				}
				values := draw(n)
				k := known(assay.Run{Results: []assay.Result{repeated("a", values...)}})
				if k.Needs == 0 || k.Needs > 3600 {
					continue
				}
				advised++
				for range int(k.Needs / 6) {
					if values = append(values, draw(1)...); stats.Precise(values, .02) {
						kept++
						break
					}
				}
			}
			if share := float64(kept) / float64(advised); advised > 20 && share < .75 {
				t.Errorf("%d repeats that vary by %v: the advice was true in %d of %d", n, spread, kept, advised)
			}
		}
	}
}

// What counts is how long all repeats measured: those added until a figure was known, too.
func TestAddedRepeatsEndAQuickLook(t *testing.T) {
	for _, c := range []struct {
		name    string
		repeats int
		seconds float64 // as the tool reports it, 0 for not at all
		planned bool
		want    bool
	}{
		{"as planned", 6, 3, true, true},
		{"with repeats added", 30, 3, true, false},
		{"without the tool's time", 30, 0, true, false}, // 30 × 5 s, as requested
		{"no quick look, cut short", 2, 3, false, false},
	} {
		r := repeated("a-cpu", make([]float64, c.repeats)...)
		r.Trial.Quick = c.planned
		for i := range r.Repeats {
			r.Repeats[i].Measurements[0].Value = 100
			if c.seconds > 0 {
				r.Repeats[i].Measurements = append(r.Repeats[i].Measurements, assay.Measurement{Metric: "tool.duration", Value: c.seconds})
			}
		}
		found, rows := Of(assay.Run{Results: []assay.Result{r}}), 0
		for row := range found.rows {
			rows++
			if row.Quick != c.want {
				t.Errorf("%s: quick %v", c.name, row.Quick)
			}
		}
		if rows != 1 {
			t.Errorf("%s: %d rows", c.name, rows)
		}
		if said := slices.ContainsFunc(found.nextStep(), func(p Point) bool { return p.Says == any(QuickRun{}) }); said != c.want {
			t.Errorf("%s: the next step says so: %v", c.name, said)
		}
	}
}
