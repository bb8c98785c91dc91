package gate

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/compare"
	"assay/internal/oneline/hostile"
)

// side returns a run with one case per metric and these values as its repeats.
func side(id string, values map[string][]float64) compare.Column {
	run := &assay.Run{ID: id, Started: time.Unix(0, 0)}
	for _, metric := range []string{"storage.read.iops", "net.rtt.median", "net.tcp.retransmits", "cpu.events_per_second"} {
		if values[metric] == nil {
			continue
		}
		s := assay.Subject{ID: "h/directory/" + metric, Kind: assay.KindDirectory, Host: "h", Name: metric}
		r := assay.Result{Trial: assay.Trial{ID: "p/" + metric + "@" + s.ID, Probe: "p", Case: metric, Title: metric, Subject: s}}
		for i, v := range values[metric] {
			r.Repeats = append(r.Repeats, assay.Repeat{N: i + 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: metric, Value: v}}})
		}
		run.Results = append(run.Results, r)
	}
	c := compare.Column{Name: id, Metric: func(string) bool { return true }}
	for i := range run.Results {
		c.Picks = append(c.Picks, compare.Pick{Run: run, Result: &run.Results[i]})
	}
	return c
}

func judged(limit float64, base, other map[string][]float64) Gate {
	return Judge(compare.Compare([]compare.Column{side("a", base), side("b", other)}, compare.Options{}), Limits{All: limit})
}

// around returns n values about a centre, a thousandth of it apart.
func around(center float64, n int) (out []float64) {
	for i := range n {
		out = append(out, center*(1+.001*(float64(i)-float64(n-1)/2)))
	}
	return out
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, metric string
		base, other  []float64
		limit        float64
		want         Verdict
	}{
		{"a rate 10 % less", "storage.read.iops", around(1000, 10), around(900, 10), .05, Regressed},
		{"a rate 10 % less, allowed", "storage.read.iops", around(1000, 10), around(900, 10), .15, Passed},
		{"a rate 10 % more", "storage.read.iops", around(1000, 10), around(1100, 10), .05, Passed},
		{"a rate at the limit", "storage.read.iops", around(1000, 10), around(950, 10), .05, Undecided},
		{"5 % less and no less allowed", "storage.read.iops", around(1000, 10), around(950, 10), 0, Regressed},
		{"a time 10 % more", "net.rtt.median", around(1e-3, 10), around(1.1e-3, 10), .05, Regressed},
		{"a time 10 % less", "net.rtt.median", around(1e-3, 10), around(.9e-3, 10), .05, Passed},
		{"three repeats", "storage.read.iops", around(1000, 3), around(500, 3), .05, TooFew},
		{"four repeats", "storage.read.iops", around(1000, 4), around(500, 4), .05, Regressed},
		{"sides of different size", "storage.read.iops", around(1000, 5), around(900, 9), .05, Regressed},
		{"ties, and sides of different size", "storage.read.iops", []float64{9, 9, 9, 9, 9, 10}, []float64{8, 8, 8, 8}, .05, Regressed},
		{"all the same", "storage.read.iops", []float64{9, 9, 9, 9}, []float64{9, 9, 9, 9}, 0, Passed},
		{"from none to some", "net.tcp.retransmits", []float64{0, 0, 0, 0, 0, 0}, []float64{3, 4, 5, 6, 7, 8}, .05, Regressed},
		{"from some to none", "net.tcp.retransmits", []float64{3, 4, 5, 6, 7, 8}, []float64{0, 0, 0, 0, 0, 0}, .05, Passed},
		{"none at all", "net.tcp.retransmits", []float64{0, 0, 0, 0, 0, 0}, []float64{0, 0, 0, 0, 0, 0}, .05, Passed},
		{"no ratio, within the share", "net.tcp.retransmits", []float64{0, 100, 100, 100, 100, 100, 100}, []float64{101, 101, 101, 101, 101, 101, 101}, .05, Passed},
		{"no ratio, beyond the share", "net.tcp.retransmits", []float64{0, 100, 100, 100, 100, 100, 100}, []float64{110, 110, 110, 110, 110, 110, 110}, .05, Regressed},
	} {
		g := judged(c.limit, map[string][]float64{c.metric: c.base}, map[string][]float64{c.metric: c.other})
		if len(g.Figures) != 1 || g.Figures[0].Verdict != c.want {
			t.Errorf("%s: %+v, want %s", c.name, g.Figures, c.want)
			continue
		}
		f := g.Figures[0]
		if (f.Why != "") != (f.Verdict != Passed && f.Verdict != Regressed) || !(f.P >= 0 && f.P <= 1 && f.Holm >= f.P) {
			t.Errorf("%s: why %q, p %v, corrected %v", c.name, f.Why, f.P, f.Holm)
		}
	}
}

// With complete separation p is exact: one of all possible orders.
func TestPIsOneSided(t *testing.T) {
	g := judged(.05, map[string][]float64{"storage.read.iops": around(1000, 10)}, map[string][]float64{"storage.read.iops": around(800, 10)})
	if want := 1. / 184756; math.Abs(g.Figures[0].P-want) > 1e-9 {
		t.Errorf("p %v, want %v", g.Figures[0].P, want)
	}
	g = judged(.05, map[string][]float64{"storage.read.iops": around(1000, 10)}, map[string][]float64{"storage.read.iops": around(1200, 10)})
	if g.Figures[0].P < .99 {
		t.Errorf("faster has p %v", g.Figures[0].P)
	}
}

// Four repeats give a p of 1/70 at least: enough for one figure, not for four.
func TestManyFiguresNeedMoreRepeats(t *testing.T) {
	base, other := map[string][]float64{}, map[string][]float64{}
	for _, m := range []string{"storage.read.iops", "net.rtt.median", "net.tcp.retransmits", "cpu.events_per_second"} {
		base[m], other[m] = around(1000, 4), around(1000, 4)
	}
	other["storage.read.iops"] = around(500, 4)
	g := judged(.05, base, other)
	if g.Tests != 4 || g.Figures[0].Verdict != TooFew || g.Figures[0].More != 1 || g.Count(Passed) != 3 {
		t.Errorf("%+v", g)
	}
}

// The requested number of repeats decides in about four of five cases, if ratio
// and spread are as they seemed.
func TestMoreRepeatsDecide(t *testing.T) {
	const spread, n = .05, 6
	scores := []float64{-1.2, -.8, -.3, .3, .8, 1.2} // deviation .96
	for _, ratio := range []float64{.92, .98} {
		at := func(center, z float64) float64 { return center * math.Exp(spread*z/.96) }
		var base, other []float64
		for _, z := range scores {
			base, other = append(base, at(1000, z)), append(other, at(1000*ratio, z))
		}
		f := judged(.05, map[string][]float64{"storage.read.iops": base}, map[string][]float64{"storage.read.iops": other}).Figures[0]
		if f.Verdict != Undecided || f.More < 10 || f.More > 80 {
			t.Fatalf("ratio %v: %s, %d more", ratio, f.Verdict, f.More)
		}
		noise, decided := rand.New(rand.NewPCG(3, 3)), 0
		const trials = 80
		for range trials {
			base, other = nil, nil
			for range n + f.More {
				base, other = append(base, at(1000, .96*noise.NormFloat64())), append(other, at(1000*ratio, .96*noise.NormFloat64()))
			}
			if judged(.05, map[string][]float64{"storage.read.iops": base}, map[string][]float64{"storage.read.iops": other}).Figures[0].Verdict != Undecided {
				decided++
			}
		}
		if share := float64(decided) / trials; share < .65 || share > .94 {
			t.Errorf("ratio %v: %.2f were decided by %d more", ratio, share, f.More)
		}
	}
}

// TestFalseAlarmsAndPower simulates gates of three figures that scatter by 2 %
// (not normally: one repeat in ten is slow): at the limit itself, which is where
// false alarms are most frequent, and far from it.
func TestFalseAlarmsAndPower(t *testing.T) {
	noise := rand.New(rand.NewPCG(1, 2))
	draw := func(center float64) (out []float64) {
		for range 10 {
			v := center * math.Exp(.02*noise.NormFloat64())
			if noise.Float64() < .1 {
				v *= .9
			}
			out = append(out, v)
		}
		return out
	}
	metrics := []string{"storage.read.iops", "net.tcp.retransmits", "cpu.events_per_second"}
	const gates = 250
	for _, c := range []struct {
		speed, limit float64
		least, most  float64 // share of the gates that close
	}{
		{1, 0, 0, .092}, {.95, .05, 0, .092}, {1, .05, 0, .001}, {.85, .05, .99, 1},
	} {
		closed := 0
		for range gates {
			base, other := map[string][]float64{}, map[string][]float64{}
			for _, m := range metrics {
				speed := c.speed
				if m == "net.tcp.retransmits" {
					speed = 1 + c.limit*(1-c.speed)/max(.05, c.limit) // lower is better: worse by no more than the limit
				}
				base[m], other[m] = draw(1000), draw(1000*speed)
			}
			if judged(c.limit, base, other).Fails(false) {
				closed++
			}
		}
		if share := float64(closed) / gates; share < c.least || share > c.most {
			t.Errorf("speed %v, limit %v: %.3f of the gates close", c.speed, c.limit, share)
		}
	}
}

func TestLimits(t *testing.T) {
	l, err := ParseLimits([]string{"3%", "storage.*=10 %", "p/cpu*=0%", "4.5 %"})
	if err != nil || l.All != .045 || len(l.Of) != 2 {
		t.Fatalf("%+v, %v", l, err)
	}
	for metric, want := range map[string]float64{"storage.read.iops": .1, "cpu.events_per_second": 0, "net.rtt.median": .045} {
		if got := l.of(compare.Row{Probe: "p", Case: metric, Metric: metric}); got != want {
			t.Errorf("%s: %v, want %v", metric, got, want)
		}
	}
	if l, err := ParseLimits(nil); err != nil || l.All != DefaultLimit {
		t.Errorf("%+v, %v", l, err)
	}
	for _, word := range []string{"5", "100%", "-1%", "x=", "=5%", "[=5%", "NaN%", "", "a=b=5%", "Inf%"} {
		if _, err := ParseLimits([]string{word}); err == nil || assay.Hint(err) == "" {
			t.Errorf("%q: %v without a hint", word, err)
		}
	}
	g := judged(.05, map[string][]float64{"storage.read.iops": around(1, 6)}, map[string][]float64{"storage.read.iops": around(1, 6)})
	if unused := l.Unused(g); len(unused) != 1 || unused[0] != "p/cpu*" {
		t.Errorf("%q", unused)
	}
}

func TestOnlyAStrictGateClosesForWhatIsOpen(t *testing.T) {
	for _, v := range Verdicts {
		f := Figure{Verdict: v}
		if f.Fails(false) != (v == Regressed) || f.Fails(true) != (v != Passed && v != NoBase) {
			t.Errorf("%s: %v, strict %v", v, f.Fails(false), f.Fails(true))
		}
	}
}

// The output is XML whatever the names contain, with correct counts and unique
// names.
func TestJUnit(t *testing.T) {
	g := Gate{}
	for i, v := range Verdicts {
		f := figureOf("p", "c", "a <b> & \"c\" \x00\x1b]0;", "", v, "why: ]]> "+fmt.Sprint(i))
		g.Figures = append(g.Figures, f)
	}
	for _, strict := range []bool{false, true} {
		var b bytes.Buffer
		if err := g.WriteJUnit(&b, strict, func(f Figure) string { return f.Title }, func(f Figure) string { return f.Why }); err != nil {
			t.Fatal(err)
		}
		var read testSuites
		d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
		if err := d.Decode(&read); err != nil {
			t.Fatalf("%v in\n%s", err, &b)
		}
		if _, err := d.Token(); err != io.EOF && strings.TrimSpace(b.String()[d.InputOffset():]) != "" {
			t.Errorf("more than one document: %v", err)
		}
		failures, broken, skipped, names := 0, 0, 0, map[string]bool{}
		for i, c := range read.Suite.Cases {
			names[c.Class+"/"+c.Name] = true
			if c.Failure != nil {
				failures++
				if !strings.Contains(c.Failure.Message, g.Figures[i].Why) || c.Failure.Type != string(g.Figures[i].Verdict) {
					t.Errorf("%+v", c.Failure)
				}
			}
			if c.Error != nil {
				broken++
			}
			if c.Skipped != nil {
				skipped++
			}
		}
		wantFailures := map[bool]int{false: 1, true: 6}[strict]
		wantBroken := map[bool]int{false: 4, true: 0}[strict] // failed, missing, unlike, too few
		if failures != wantFailures || broken != wantBroken || failures+broken+skipped != len(Verdicts)-1 || len(names) != len(Verdicts) {
			t.Errorf("strict %v: %d failures, %d skipped, %d names", strict, failures, skipped, len(names))
		}
		if read.Suite.Failures != failures || read.Suite.Skipped != skipped || read.Suite.Errors != broken || read.Errors != broken || read.Suite.Tests != len(Verdicts) || read.Failures != failures {
			t.Errorf("the counts are not true: %+v", read.Suite)
		}
		if strings.ContainsAny(b.String(), "\x00\x1b") {
			t.Error("has what XML cannot hold")
		}
	}
	if err := g.WriteJUnit(failing{}, false, func(Figure) string { return "" }, func(Figure) string { return "" }); err == nil {
		t.Error("an error of the writer is lost")
	}
}

// Whatever the figures' names, nothing in the XML drives a terminal or changes the
// reading direction, and names that differ only in such characters remain distinct.
func TestJUnitHoldsNothingRaw(t *testing.T) {
	g := Gate{}
	for _, title := range []string{hostile.Text, hostile.Text + "\u202e"} {
		for _, v := range Verdicts {
			g.Figures = append(g.Figures, figureOf(title, title, title, "", v, title))
		}
	}
	var b bytes.Buffer
	if err := g.WriteJUnit(&b, true, func(f Figure) string { return f.Title + string(f.Verdict) }, func(f Figure) string { return f.Why }); err != nil {
		t.Fatal(err)
	}
	if found := hostile.Found(b.String()); found != "" {
		t.Error(found)
	}
	var read testSuites
	if err := xml.Unmarshal(b.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, c := range read.Suite.Cases {
		if found := hostile.Found(c.Name + c.Class + c.Out); found != "" {
			t.Error(found) // as a reader of the XML sees it
		}
		names[c.Class+"/"+c.Name] = true
	}
	if len(names) != len(g.Figures) {
		t.Errorf("%d names for %d figures", len(names), len(g.Figures))
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A figure that the audit rejected in the base is no base; one that it rejected in
// the new side is missing there.
func TestRejectedFigures(t *testing.T) {
	lone := func(column int, rejected bool, why string) compare.Lone {
		return compare.Lone{Column: column, Trial: "fio/w@h/directory//x", Title: "synchronous write", Metric: "storage.write.iops", Why: why, Rejected: rejected}
	}
	for _, tt := range []struct {
		name string
		all  []compare.Lone
		want Verdict
		why  string
	}{
		{"in both", []compare.Lone{lone(0, true, "the audit rejected it: cov"), lone(1, true, "the audit rejected it: cov")}, NoBase, "base: the audit rejected it: cov"},
		{"in the base", []compare.Lone{lone(0, true, "the audit rejected it: cov"), lone(1, false, "the audit rejected the other result")}, NoBase, "base: the audit rejected it: cov"},
		{"in the new side", []compare.Lone{lone(0, false, "the audit rejected the other result"), lone(1, true, "the audit rejected it: cov")}, Missing, "the audit rejected it: cov"},
	} {
		g := Judge(compare.Comparison{Lone: tt.all}, Limits{})
		if len(g.Figures) != 1 || g.Figures[0].Verdict != tt.want || g.Figures[0].Why != tt.why || g.Figures[0].Title != "synchronous write" {
			t.Errorf("%s: %+v", tt.name, g.Figures)
		}
	}
}

// Of several runs a side, one whose figure the audit rejected is left out with a note: the
// others are the figure.
func TestARejectedRunAmongSeveralIsNoted(t *testing.T) {
	metric := "storage.read.iops"
	runs := func(name string, rejected int, duplex bool) compare.Column {
		all := compare.Column{Name: name, Metric: func(string) bool { return true }}
		for i := range 3 {
			one := side(fmt.Sprintf("%s%d", name, i), map[string][]float64{metric: around(1000, 6)})
			if duplex {
				bothWays(one.Picks[0].Result)
			}
			if i < rejected {
				one.Picks[0].Run.Findings = []assay.Finding{{Rule: "cov", Severity: assay.Rejects, Subject: one.Picks[0].Result.Trial.ID}}
			}
			all.Picks = append(all.Picks, one.Picks...)
		}
		return all
	}
	for _, c := range []struct {
		base, other int // how many were rejected
		want        Verdict
		note        string
	}{
		{0, 0, Passed, ""},
		{0, 1, Passed, "storage.read.iops, storage.read.iops: 1 of 3 runs of B left out: the audit rejected it: cov"},
		{2, 0, Passed, "storage.read.iops, storage.read.iops: 2 of 3 runs of A left out: the audit rejected it: cov"},
		{0, 3, Missing, ""},
	} {
		g := Judge(compare.Compare([]compare.Column{runs("a", c.base, false), runs("b", c.other, false)}, compare.Options{}), Limits{All: .05})
		if len(g.Figures) != 1 || g.Figures[0].Verdict != c.want || strings.Join(g.Notes, "; ") != c.note {
			t.Errorf("%d and %d rejected: %d figures, %q, %+v", c.base, c.other, len(g.Figures), g.Notes, g.Figures)
		}
	}
	// A link measured both ways at once has two figures in each run.
	g := Judge(compare.Compare([]compare.Column{runs("a", 2, true), runs("b", 0, true)}, compare.Options{}), Limits{All: .05})
	if len(g.Figures) != 2 || len(g.Notes) != 1 || !strings.Contains(g.Notes[0], ": 2 of 3 runs of A left out") {
		t.Errorf("both ways: %d figures, %q", len(g.Figures), g.Notes)
	}
}

// bothWays makes a result that of a link whose directions were measured at once.
func bothWays(res *assay.Result) {
	res.Trial.Subject.Kind = assay.KindLink
	for i := range res.Repeats {
		rep := &res.Repeats[i]
		var all []assay.Measurement
		for _, m := range rep.Measurements {
			for _, direction := range []string{"forward", "reverse"} {
				m.Labels = map[string]string{"direction": direction}
				all = append(all, m)
			}
		}
		rep.Measurements = all
	}
}
