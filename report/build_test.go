package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
)

// measuredRun returns a small run with storage, CPU and an absence.
func measuredRun() assay.Run {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	trial := func(id, title string, kind assay.SubjectKind, name string, set map[string]string) assay.Trial {
		return assay.Trial{ID: id, Title: title, Settings: set, Repeats: 6, Length: 5 * time.Second,
			Subject: assay.Subject{ID: "box/" + string(kind) + "/" + name, Kind: kind, Host: "box", Name: name}}
	}
	repeats := func(labels map[string]string, metrics map[string]float64) []assay.Repeat {
		var out []assay.Repeat
		for n := range 7 {
			r := assay.Repeat{N: n, Started: began.Add(time.Duration(n) * 10 * time.Second), Elapsed: 5 * time.Second, Outcome: assay.Done}
			for name, v := range metrics {
				m, _ := assay.Describe(name)
				one := assay.Measurement{Metric: name, Value: v * (1 + .001*float64(n)), Unit: m.Unit, Labels: labels}
				if strings.HasSuffix(name, ".iops") {
					one.Samples = []assay.Sample{{At: 1, Value: v}, {At: 2, Value: v}}
				}
				if strings.HasSuffix(name, ".mean") {
					one.Histogram = []assay.Bin{{Upper: 100e-6, Count: 900}, {Upper: 200e-6, Count: 90}, {Upper: 1e-3, Count: 10}}
				}
				r.Measurements = append(r.Measurements, one)
			}
			out = append(out, r)
		}
		return out
	}
	fio := map[string]string{"tool": "fio", "engine": "libaio", "bs": "4k", "iodepth": "32", "jobs": "2", "direct": "1", "sync": "0"}
	return assay.Run{
		ID: "r1", Suite: "baseline", Started: began, Elapsed: time.Minute, Status: assay.RunDone,
		Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "box"}}, Facts: map[string]assay.Facts{"box": {
			Host: "box", CPU: assay.CPUFacts{Threads: 4, Cores: 4},
			Dirs:  []assay.DirFacts{{Path: "/srv", Drives: []string{"nvme0n1"}}},
			Block: []assay.BlockDevice{{Name: "nvme0n1", Kind: "disk", Bytes: 1, Link: &assay.Link{Kind: "pcie", Mode: "Gen3 x4", Ceiling: 3.938e9}}},
		}}},
		Results: []assay.Result{
			{Trial: trial("fio/rr", "4 KiB random read", assay.KindDirectory, "/srv", nil), Repeats: repeats(fio, map[string]float64{
				"storage.read.iops": 200e3, "storage.read.bandwidth": 819.2e6, "storage.read.latency.mean": 110e-6, "storage.read.latency.p50": 100e-6, "tool.duration": 5})},
			{Trial: trial("sysbench/one", "CPU, 1 thread", assay.KindCPU, "cpu", map[string]string{"threads": "1"}), Repeats: repeats(nil, map[string]float64{"cpu.events_per_second": 1000})},
			{Trial: trial("sysbench/all", "CPU, all threads", assay.KindCPU, "cpu", map[string]string{"threads": "4"}), Repeats: repeats(nil, map[string]float64{"cpu.events_per_second": 3900})},
			{Trial: func() assay.Trial {
				t := trial("smart/h", "drive health", assay.KindDrive, "nvme0n1", nil)
				t.Absent = &assay.Absence{Word: assay.Unknown, Why: "smartctl is not installed", Hint: "install it"}
				return t
			}()},
		},
	}
}

func figureOf(t *testing.T, d Document, title, metric string) Figure {
	t.Helper()
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			for _, f := range r.Figures {
				if r.Title == title && f.Metric == metric {
					return f
				}
			}
		}
	}
	t.Fatalf("no figure %s of %q", metric, title)
	return Figure{}
}

func verdictText(d Document) string {
	var words []string
	for _, s := range slices.Concat(d.Verdict, d.Further) {
		words = append(words, s.Kind+": "+s.Text)
	}
	return strings.Join(words, "\n")
}

func TestBuild(t *testing.T) {
	d := Build(measuredRun())
	iops := figureOf(t, d, "4 KiB random read", "storage.read.iops")
	if iops.N != 6 || iops.Value < 200.6e3 || iops.Value > 200.8e3 || iops.Low >= iops.Value || iops.High <= iops.Value || iops.Seconds < 5 || iops.Seconds > 5.1 {
		t.Errorf("the warm-up must not count, and the median has an interval: %+v", iops)
	}
	bw := figureOf(t, d, "4 KiB random read", "storage.read.bandwidth")
	if bw.Ceiling == nil || bw.Ceiling.Name != "PCIe Gen3 x4" || bw.Ceiling.Share < .2 || bw.Ceiling.Share > .21 {
		t.Errorf("ceiling %+v", bw.Ceiling)
	}
	scaling := figureOf(t, d, "CPU, all threads vs one", "cpu.scaling")
	if scaling.Value < 3.89 || scaling.Value > 3.91 || scaling.Ceiling.Value != 4 {
		t.Errorf("scaling %+v of %+v", scaling, scaling.Ceiling)
	}
	c := d.Plots.Latency[0]
	if c.Count != 6000 || c.Points[0][1] != 100e-6 {
		t.Errorf("the curve holds %d operations of the six counted repeats; first point %v", c.Count, c.Points[0])
	}
	for _, p := range c.Points {
		if p[0] == 95 && p[1] != 200e-6 || p[0] == 99.5 && p[1] != 1e-3 {
			t.Errorf("percentile %v is %v", p[0], p[1])
		}
		if p[0] > 99.8 {
			t.Errorf("percentile %v rests on fewer than ten operations", p[0])
		}
	}
	if s := d.Plots.Timeline[0]; len(s.Points) != 14 || len(s.Spans) != 7 || !s.Spans[0].Warmup || s.Points[2][0] != 11 {
		t.Errorf("timeline %+v", s)
	}
	want := []string{
		"1 of 5 rows have no number; first: drive health: smartctl is not installed",
		"Open: 1 of 5 rows without a number.", "4 KiB random read: 201k IOPS", "NVMe",
		"4 threads do 3.90 × the work of one (98 % of linear)", "No figure comes close to its bus limit", "next: Install it.",
	}
	for _, w := range want {
		if !strings.Contains(verdictText(d), w) {
			t.Errorf("the verdict does not say %q:\n%s", w, verdictText(d))
		}
	}
	if n := len(d.Verdict); n < 3 || n > 7 || d.Verdict[n-1].Text != "Open: 1 of 5 rows without a number." {
		t.Errorf("the verdict has %d sentences", n)
	}
}

func TestARejectedFigureIsNotPraised(t *testing.T) {
	r := measuredRun()
	r.Findings = []assay.Finding{
		{Rule: "x-open", Severity: assay.NotChecked, Subject: "fio/rr", Missing: "a fact"},
		{Rule: "too-short", Severity: assay.Informs, Subject: "fio/rr", Message: "a quick look"},
		{Rule: "cov", Severity: assay.Rejects, Subject: "sysbench/all", Metrics: []string{"cpu.events_per_second"}, Message: "scatters", Advice: "find out"},
		{Rule: "pcie", Severity: assay.Rejects, Subject: "fio/rr", Message: "faster than its bus", Advice: "use direct=1"},
		{Rule: "noisy-neighbour", Severity: assay.Warns, Subject: "sysbench/all", Message: "busy", Advice: "stop the other work"},
	}
	d := Build(r)
	if len(d.Findings) != 4 || d.Findings[0].Severity != assay.Rejects || d.Findings[0].Number != 1 || len(d.Open) != 1 {
		t.Fatalf("findings %+v, open %+v", d.Findings, d.Open)
	}
	if f := figureOf(t, d, "4 KiB random read", "storage.read.iops"); !f.Rejected || len(f.Footnotes) != 2 {
		t.Errorf("a finding about the whole trial: %+v", f)
	}
	if f := figureOf(t, d, "CPU, all threads vs one", "cpu.scaling"); !f.Rejected {
		t.Error("scaling from a rejected figure is believed")
	}
	text := verdictText(d)
	for _, w := range []string{"Rejected: 4 KiB random read; CPU, all threads", "The machine was not idle", "next: Stop the other work."} {
		if !strings.Contains(text, w) {
			t.Errorf("the verdict does not say %q:\n%s", w, text)
		}
	}
	if strings.Contains(text, "typical of an NVMe drive") || strings.Contains(text, "the work of one") {
		t.Errorf("a rejected figure is praised:\n%s", text)
	}
}

func TestAnEmptyRunIsADocument(t *testing.T) {
	d := Build(assay.Run{ID: "x", Status: assay.RunFailed})
	text, err := json.Marshal(d)
	if err != nil || !bytes.Contains(text, []byte(`"sections":[]`)) || bytes.Contains(text, []byte("null")) {
		t.Errorf("%v: %s", err, text)
	}
}
