package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay"
)

// sample returns n repeats around center with 1 % of noise.
func sample(seed uint64, n int, center float64) []float64 { return noisy(seed, n, center, .01) }

func noisy(seed uint64, n int, center, share float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 7))
	out := make([]float64, n)
	for i := range out {
		out[i] = center * math.Exp(share*r.NormFloat64())
	}
	return out
}

// measured returns a fio result on a host's directory.
func measured(host, dir, name string, labels map[string]string, metrics map[string][]float64) assay.Result {
	id := host + "/directory/" + dir
	res := assay.Result{Trial: assay.Trial{
		ID: "fio/" + name + "@" + id, Probe: "fio", Case: name, Title: name,
		Subject:  assay.Subject{ID: id, Kind: assay.KindDirectory, Host: host, Name: dir},
		Settings: map[string]string{"rw": "randread", "numjobs": "1", "engine": "async"}, Length: 5 * time.Second,
	}}
	for _, metric := range sortedKeys(metrics) {
		for i, v := range metrics[metric] {
			for len(res.Repeats) <= i+1 {
				res.Repeats = append(res.Repeats, assay.Repeat{N: len(res.Repeats), Outcome: assay.Done})
			}
			unit, _ := assay.Describe(metric)
			m := assay.Measurement{Metric: metric, Value: v, Unit: unit.Unit, Labels: labels}
			res.Repeats[i+1].Measurements = append(res.Repeats[i+1].Measurements, m)
		}
	}
	// The warm-up must never count.
	res.Repeats[0].Measurements = []assay.Measurement{{Metric: "storage.read.iops", Value: 1, Labels: labels}}
	return res
}

func labels(bs string, more ...string) map[string]string {
	all := map[string]string{"tool": "fio", "version": "3.33", "engine": "io_uring", "bs": bs, "iodepth": "32", "jobs": "1", "direct": "1", "sync": "0", "pattern": "randread"}
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}

var started = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

func runOf(id string, results ...assay.Result) *assay.Run {
	started = started.Add(time.Hour)
	return &assay.Run{ID: id, Started: started, Version: "1.0", Results: results, Inventory: assay.Inventory{Facts: map[string]assay.Facts{}}}
}

func column(runs ...*assay.Run) Column {
	c := Column{Name: "run=" + runs[0].ID}
	for _, run := range runs {
		for i := range run.Results {
			c.Picks = append(c.Picks, Pick{run, &run.Results[i]})
		}
	}
	return c
}

func reads(seed uint64, n int, iops float64) assay.Result {
	return measured("pve1", "/srv", "randread-4k", labels("4k"), map[string][]float64{
		"storage.read.iops": sample(seed, n, iops), "storage.read.bandwidth": sample(seed, n, 4096*iops),
		"storage.read.latency.p99": sample(seed, n, 32/iops),
	})
}

func TestASlowerRunIsSlower(t *testing.T) {
	base, slow := runOf("a", reads(1, 8, 50e3)), runOf("b", reads(2, 8, 40e3))
	c := Compare([]Column{column(base), column(slow)}, Options{All: true})
	if len(c.Rows) != 3 || c.Tests != 3 {
		t.Fatalf("%d rows and %d tests, want 3 of each", len(c.Rows), c.Tests)
	}
	for _, row := range c.Rows {
		a := row.Cells[1].Against
		want := .8
		if row.Better == "lower" {
			want = 1.25
		}
		if a.Verdict != Slower || !(a.Low < want && want < a.High) || math.Abs(a.Ratio/want-1) > .02 {
			t.Errorf("%s: %s, ratio %.3f [%.3f, %.3f], want slower and %.2f", row.Metric, a.Verdict, a.Ratio, a.Low, a.High, want)
		}
		if a.Holm < a.P || row.Cells[0].Against != nil || row.Cells[1].N != 8 {
			t.Errorf("%s: p %g, corrected %g, n %d", row.Metric, a.P, a.Holm, row.Cells[1].N)
		}
	}
	back := Compare([]Column{column(slow), column(base)}, Options{})
	if v := back.Rows[0].Cells[1].Against.Verdict; len(back.Rows) != 1 || v != Faster {
		t.Errorf("the other way round it is %s in %d rows", v, len(back.Rows))
	}
}

func TestNothingDiffersFromItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		run := runOf("a", reads(rapid.Uint64().Draw(t, "seed"), n, 50e3))
		c := Compare([]Column{column(run), column(run)}, Options{})
		a := c.Rows[0].Cells[1].Against
		if a.Verdict != Equivalent && a.Verdict != Undetermined {
			t.Fatalf("n=%d: %s, ratio %g", n, a.Verdict, a.Ratio)
		}
		if a.Verdict == Undetermined && a.Why == "" {
			t.Fatalf("n=%d: undetermined, and nobody says why", n)
		}
		if len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "with the base") {
			t.Fatalf("the notes are %q", c.Notes)
		}
	})
}

func TestTooFewRepeatsSayHowManyMore(t *testing.T) {
	c := Compare([]Column{column(runOf("a", reads(1, 3, 50e3))), column(runOf("b", reads(2, 3, 40e3)))}, Options{})
	a := c.Rows[0].Cells[1].Against
	if a.Verdict != Undetermined || a.More < 1 || a.More > 10 || a.Why == "" {
		t.Errorf("%+v", a)
	}
}

func TestHeadlines(t *testing.T) {
	large := measured("h", "/d", "seq", labels("1m"), map[string][]float64{"storage.read.iops": {1, 2}, "storage.read.bandwidth": {1, 2}, "storage.read.bandwidth.stddev": {1, 2}})
	cut := measured("h", "/d", "dd", labels("4k"), map[string][]float64{"storage.write.bandwidth": {1, 2}, "smart.temperature": {1, 2}})
	for _, test := range []struct {
		of   assay.Result
		want string
	}{
		{reads(1, 2, 1e3), "storage.read.iops"}, {large, "storage.read.bandwidth"}, {cut, "storage.write.bandwidth"},
	} {
		var got []string
		for _, m := range test.of.Repeats[1].Measurements {
			if test.of.Headline(m) {
				got = append(got, m.Metric)
			}
		}
		if !slices.Equal(got, []string{test.want}) {
			t.Errorf("%s: %q, want %s", test.of.Trial.Case, got, test.want)
		}
	}
}

func TestMetricsThatAreAskedFor(t *testing.T) {
	a, b := column(runOf("a", reads(1, 6, 1e3))), column(runOf("b", reads(2, 6, 1e3)))
	a.Metric = func(name string) bool { return strings.HasSuffix(name, ".p99") }
	b.Metric = a.Metric
	c := Compare([]Column{a, b}, Options{})
	if len(c.Rows) != 1 || c.Rows[0].Metric != "storage.read.latency.p99" {
		t.Errorf("%+v", c.Rows)
	}
}

func TestMatching(t *testing.T) {
	on := func(host, dir string) assay.Result {
		return measured(host, dir, "randread-4k", labels("4k"), map[string][]float64{"storage.read.iops": sample(1, 6, 1e3)})
	}
	for _, test := range []struct {
		name  string
		sides [][]assay.Result
		want  string // subjects of each row, then how many are alone
	}{
		{"one each, whatever its name", [][]assay.Result{{on("a", "/x")}, {on("b", "/y")}}, "a/x b/y, alone 0"},
		{"by host and name", [][]assay.Result{{on("a", "/x"), on("b", "/x")}, {on("b", "/x"), on("a", "/x")}}, "a/x a/x; b/x b/x, alone 0"},
		{"by name on another host", [][]assay.Result{{on("a", "/x"), on("a", "/y")}, {on("b", "/y"), on("b", "/x")}}, "a/x b/x; a/y b/y, alone 0"},
		{"the others stay alone", [][]assay.Result{{on("a", "/x"), on("a", "/y")}, {on("b", "/y"), on("b", "/z")}}, "a/y b/y, alone 2"},
		{"of two of one name none", [][]assay.Result{{on("a", "/x"), on("b", "/x")}, {on("c", "/x")}}, ", alone 3"},
		{"three columns with a gap", [][]assay.Result{{on("a", "/x"), on("a", "/y")}, {on("a", "/x")}, {on("a", "/y")}}, "a/x a/x -; a/y - a/y, alone 0"},
	} {
		var columns []Column
		for i, results := range test.sides {
			columns = append(columns, column(runOf(fmt.Sprint(i), results...)))
		}
		c := Compare(columns, Options{})
		var rows []string
		for _, row := range c.Rows {
			var cells []string
			for _, cell := range row.Cells {
				word := "-"
				if cell != nil {
					_, subject, _ := strings.Cut(cell.Trials[0], "@")
					word = strings.Replace(subject, "/directory/", "", 1)
				}
				cells = append(cells, word)
			}
			rows = append(rows, strings.Join(cells, " "))
		}
		if got := fmt.Sprintf("%s, alone %d", strings.Join(rows, "; "), len(c.Lone)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		for _, l := range c.Lone {
			if l.Why == "" || l.Trial == "" {
				t.Errorf("%s: %+v", test.name, l)
			}
		}
	}
}

func TestWhatHasNoFigureSaysWhy(t *testing.T) {
	figure := map[string][]float64{"storage.read.iops": sample(1, 6, 1e3)}
	missing, there := measured("pve1", "/srv", "x", labels("4k"), figure), measured("pve1", "/srv", "y", labels("4k"), figure)
	absent, broke := missing, there
	absent.Trial.Absent, absent.Repeats = &assay.Absence{Word: assay.NotSupported, Why: "no such drive"}, nil
	broke.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Broke, Error: "no space"}}
	// A result without a figure on either side is not reported.
	nowhere := assay.Result{Trial: assay.Trial{ID: "smart/health@a", Probe: "smart"}}
	rejected := runOf("b", reads(1, 6, 1e3), broke, missing, nowhere)
	rejected.Findings = []assay.Finding{
		{Rule: "too-fast", Severity: assay.Rejects, Subject: rejected.Results[0].Trial.ID, Metrics: []string{"storage.read.iops"}},
		{Rule: "odd", Severity: assay.Warns, Subject: rejected.Results[0].Trial.ID},
	}
	c := Compare([]Column{column(runOf("a", reads(1, 6, 1e3), absent, there, nowhere)), column(rejected)}, Options{})
	var got []string
	for _, l := range c.Lone {
		got = append(got, fmt.Sprintf("%d %s", l.Column, l.Why))
	}
	want := []string{"1 the audit rejected it: too-fast", "0 not supported: no such drive", "1 failed: no space", "0 the audit rejected the other result", "0 the other columns have no such result", "1 the base has no such result"}
	if len(c.Rows) != 0 || !slices.Equal(got, want) {
		t.Errorf("%d rows, %q, want %q", len(c.Rows), got, want)
	}
}

func TestTitlesOfOtherHostsNameNone(t *testing.T) {
	way := func(from, to string) assay.Result {
		res := measured(from, "lan:"+to, "tcp-1", labels("4k"), map[string][]float64{"net.tcp.throughput": sample(1, 6, 1e9)})
		res.Trial.Title = fmt.Sprintf("TCP, %s → %s on lan", from, to)
		res.Trial.Subject.Peer = to
		return res
	}
	for _, test := range []struct {
		other assay.Result
		title string
	}{{way("a", "c"), "TCP, a → c on lan"}, {way("b", "c"), "TCP, → c on lan"}} {
		c := Compare([]Column{column(runOf("1", way("a", "c"), way("a", "d"))), column(runOf("2", test.other))}, Options{})
		if len(c.Rows) != 1 || c.Rows[0].Title != test.title || !c.Rows[0].Told {
			t.Errorf("%+v", c.Rows)
		}
	}
}

func TestManyRunsCountOnceEach(t *testing.T) {
	var few, many []*assay.Run
	for i := range 7 {
		run := runOf(fmt.Sprint("r", i), reads(uint64(i), 3, 1e3))
		many = append(many, run)
		if i < 2 {
			few = append(few, run)
		}
	}
	if cell := Compare([]Column{column(many...), column(many...)}, Options{}).Rows[0].Cells[0]; cell.N != 7 || cell.Unit != "runs" {
		t.Errorf("seven runs: n=%d %s", cell.N, cell.Unit)
	}
	if cell := Compare([]Column{column(many...), column(few...)}, Options{}).Rows[0].Cells[0]; cell.N != 21 || cell.Unit != "repeats" {
		t.Errorf("seven runs against two: n=%d %s", cell.N, cell.Unit)
	}
}

func TestVerdictsSpeakOfTheMetric(t *testing.T) {
	for metric, want := range map[string][2]Verdict{
		"storage.read.iops": {Slower, Faster}, "storage.read.latency.p99": {Faster, Slower}, "thermal.rise": {IsBetter, IsWorse},
		"smart.available_spare": {IsWorse, IsBetter}, "smart.data_read": {IsLower, IsHigher}, "thermal.clock.idle": {IsLower, IsHigher},
	} {
		m, known := assay.Describe(metric)
		if got := [2]Verdict{verdictOf(m, false), verdictOf(m, true)}; !known || got != want {
			t.Errorf("%s: less is %s and more is %s, want %s", metric, got[0], got[1], want)
		}
	}
}

func TestFiguresThatMayBeZero(t *testing.T) {
	lost := func(id string, values ...float64) Column {
		res := measured("a", "/x", "udp", labels("4k"), map[string][]float64{"net.tcp.retransmits": values})
		c := column(runOf(id, res))
		c.Metric = func(name string) bool { return name == "net.tcp.retransmits" }
		return c
	}
	c := Compare([]Column{lost("a", 0, 0, 0, 0, 0, 1, 0, 0), lost("b", 90, 80, 100, 95, 85, 99, 91, 92)}, Options{})
	a := c.Rows[0].Cells[1].Against
	if a.Verdict != IsWorse || a.Ratio != 0 || a.Difference == nil || a.Difference.Center < 80 || a.Difference.Center > 100 {
		t.Errorf("%+v, difference %+v", a, a.Difference)
	}
}

// Runs of the same speed are rarely called different, whatever the number of
// figures: with 15 % of noise an interval easily falls outside the margin, and
// only the correction for ten figures prevents it.
func TestFalseAlarms(t *testing.T) {
	const tries, figures = 100, 10
	alarms := 0
	for i := range uint64(tries) {
		var sides [2][]assay.Result
		for side := range uint64(2) {
			for k := range uint64(figures) {
				sides[side] = append(sides[side], measured("a", "/x", fmt.Sprint("case", k), labels("4k"),
					map[string][]float64{"storage.read.iops": noisy(i*100+side*50+k, 8, 1e3, .15)}))
			}
		}
		c := Compare([]Column{column(runOf("a", sides[0]...)), column(runOf("b", sides[1]...))}, Options{})
		if slices.ContainsFunc(c.Rows, func(r Row) bool {
			v := r.Cells[1].Against.Verdict
			return v == Faster || v == Slower
		}) {
			alarms++
		}
	}
	// 5 % are allowed, plus a few by chance; without correction it would be a
	// third.
	if alarms > tries/10 {
		t.Errorf("%d of %d comparisons of the same speed found a difference", alarms, tries)
	}
}
