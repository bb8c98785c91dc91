package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay"
)

// repeated is a result whose repeats took 6 s each.
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
	k := known(assay.Run{Findings: []assay.Finding{
		{Rule: "cov", Severity: assay.Rejects, Subject: "a-rejected", Metrics: []string{"cpu.events_per_second"}},
		{Rule: "cov", Severity: assay.Rejects, Subject: "a-calm", Metrics: []string{"cpu.latency.mean"}},
	}, Results: []assay.Result{
		repeated("a-rejected", wild...),
		repeated("a-calm", calm...), early, repeated("a-few", 1, 2, 3), repeated("a-wild", wild...), repeated("b-wild", wild...), absent, repeated("a-nothing"),
	}})
	if k.Of != 5 || k.Met != 2 || k.Measured != 72 || k.Fixed != 360 || k.Ended != 1 || k.Wanted != .02 {
		t.Errorf("%+v", k)
	}
	// ± 4 % is twice as wide: four times the repeats, 18 more of 6 s. The hosts
	// work at once.
	if len(k.Open) != 3 || k.Open[0].Trial != "a-few" || k.Open[0].Wide != 0 || k.Open[0].More != 3 || k.Open[1].More != 18 || k.Open[1].Needs != 108 || k.Needs != 126 {
		t.Errorf("%+v", k.Open)
	}
	if known(assay.Run{Results: []assay.Result{absent}}) != nil {
		t.Error("nothing was wanted, and something is said")
	}
}

func TestKnownSentences(t *testing.T) {
	open := []Imprecise{{Title: "reads", Wide: .0834}, {Title: "writes", Wide: .031}, {Title: "mix"}, {Title: "scan", Wide: .03}}
	for _, tt := range []struct {
		k    *Known
		want string
	}{
		{nil, "[]"},
		{&Known{Wanted: .02, Met: 9, Of: 9, Measured: 280, Fixed: 1620}, "All 9 figures are known to ± 2 % after 4.67 min of measuring; 60 s × 3 of each takes 27.0 min: 22.3 min saved."},
		{&Known{Wanted: .02, Met: 1, Of: 1, Measured: 281, Fixed: 180}, "The figure is known to ± 2 % after 4.68 min of measuring."},
		{&Known{Wanted: .005, Met: 1, Of: 2, Measured: 100, Fixed: 180, Open: open[:1], Needs: 200},
			"1 of 2 figures is known to ± 0.5 % after 100 s of measuring; 60 s × 3 of each takes 3.00 min: 80.0 s saved." +
				"|Not converged to ± 0.5 % within the time budget: reads (± 8.3 %). About 3.33 min more would do: assay run --resume r1 --time-budget 5m."},
		{&Known{Wanted: .02, Of: 4, Open: open, Needs: 1e6},
			"Not converged to ± 2 % within the time budget: reads (± 8.3 %); writes (± 3.1 %); mix (no interval yet); and 1 more. More repeats will not settle that here soon: see what makes them differ."},
	} {
		var texts []string
		for _, s := range knownSentences(Document{Known: tt.k, Run: Header{ID: "r1"}}) {
			texts = append(texts, s.Text)
		}
		got := strings.Join(texts, "|")
		if tt.k == nil {
			got = fmt.Sprint(texts)
		}
		if got != tt.want {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
}
