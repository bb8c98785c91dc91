package report_test

import (
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/reporttest"
)

func TestReadingPutsFindingsBesideTheFigures(t *testing.T) {
	r := reporttest.Reading()
	if len(r.Outputs) != 2 || len(r.Across) != 1 || r.Across[0].Rule != "pairs-missing" {
		t.Fatalf("%d outputs, across: %v", len(r.Outputs), r.Across)
	}
	fio := r.Outputs[0]
	if fio.Worst() != assay.Rejects || r.Outputs[1].Worst() != "" {
		t.Errorf("worst are %q and %q", fio.Worst(), r.Outputs[1].Worst())
	}
	rejected := map[string]bool{}
	for _, f := range fio.Figures {
		rejected[f.Metric] = f.Rejected
	}
	if !rejected["storage.write.iops"] || rejected["storage.write.latency.mean"] {
		t.Errorf("rejected are %v", rejected)
	}
	if _, shown := rejected["storage.write.latency.p1"]; shown {
		t.Error("a percentile that nobody compares is shown")
	}
	if _, shown := rejected["storage.write.bytes"]; shown {
		t.Error("a supporting figure is shown")
	}
	if got := r.Outputs[1].Figures[0].Text; got != "9.39 Gbit/s" {
		t.Errorf("a network is as fast as %q", got)
	}
	if !strings.Contains(fio.Settings, "depth 16 requested, 1 reached") || !strings.HasSuffix(fio.Settings, "ran 60.0 s") {
		t.Errorf("settings: %s", fio.Settings)
	}
}

// Rules that lack a fact are listed under it once; facts from flags come first.
func TestReadingSaysWhatIsWanted(t *testing.T) {
	r := reporttest.Reading()
	if len(r.Open) != 2 || strings.Join(r.Open[0].Rules, " ") != "nic-ceiling nic-underuse" || !r.Open[0].Given || r.Open[1].Given {
		t.Errorf("open: %+v", r.Open)
	}
}

func TestReadingSummary(t *testing.T) {
	for _, c := range []struct {
		name string
		says assay.Severity
		on   string
		want string
	}{
		{"clean", "", "", "1 figure in 1 output. Nothing contradicts"},
		{"a footnote", assay.Warns, "a", "No physically impossible results; see the footnotes on 1 output."},
		{"a warning about a host", assay.Warns, "pve1", "No physically impossible results; 1 warning across outputs."},
		{"rejected", assay.Rejects, "a", "Rejected: 1 output."},
		{"a comparison", assay.Rejects, "table 1", "Rejected: 0 outputs and 1 comparison."},
	} {
		t.Run(c.name, func(t *testing.T) {
			results := []assay.Result{{Trial: assay.Trial{ID: "a"}, Repeats: []assay.Repeat{{Measurements: []assay.Measurement{{Metric: "cpu.events_per_second", Value: 1}}}}}}
			var findings []assay.Finding
			if c.says != "" {
				findings = []assay.Finding{{Rule: "r", Severity: c.says, Subject: c.on}}
			}
			if got := report.BuildReading(report.Read{Results: results, Findings: findings}).Summary; !strings.Contains(got, c.want) {
				t.Errorf("says %q, want %q", got, c.want)
			}
		})
	}
}
