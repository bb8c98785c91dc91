package analysis

import (
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
