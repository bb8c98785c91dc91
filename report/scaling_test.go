package report_test

import (
	"fmt"
	"strings"
	"testing"

	"assay"
	"assay/plan/multiclient"
	"assay/report"
	"assay/report/reporttest"
)

func TestScalingCurves(t *testing.T) {
	d := reporttest.Scaling()
	if len(d.Scaling) != 3 {
		t.Fatalf("%d curves: %+v", len(d.Scaling), d.Scaling)
	}
	for i, want := range []string{
		"sd: 4 KiB random write still grows at 3 hosts: 2.16k IOPS in total, 100 % of what they reach one at a time",
		"longhorn: 4 KiB random write stops growing at 2 hosts: 5.10k IOPS in total",
		"longhorn: 1 MiB sequential write still grows at 2 hosts: 61.0 MB/s in total, 58 % of what they reach one at a time",
	} {
		if got := d.Scaling[i].Text; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	got := ""
	for _, p := range d.Scaling[1].Points {
		got += fmt.Sprintf("%d %s %.0f %s; ", p.Hosts, strings.Join(p.Names, "+"), p.Figure.Value, report.ShareOfAlone(p))
	}
	if want := "1 node1 2607 ; 2 node1+node2 5101 98 %; 3 node1+node2+node3 5114 65 %; "; got != want {
		t.Errorf("points %s, want %s", got, want)
	}
	if p := d.Scaling[1].Points[2]; p.Low <= .6 || p.High >= .7 || p.Low >= p.Efficiency || p.High <= p.Efficiency || p.Figure.Level < .95 {
		t.Errorf("the efficiency of three is %v to %v to %v, at level %v", p.Low, p.Efficiency, p.High, p.Figure.Level)
	}
	if p := d.Scaling[2].Points[2]; p.Absent == nil || p.Figure != nil || p.Absent.Hint != "look at dmesg of node3" {
		t.Errorf("what failed is %+v", p)
	}
	// The verdict says where growth stops, and only that.
	said := fmt.Sprint(d.Verdict)
	if !strings.Contains(said, "longhorn: 4 KiB random write stops growing at 2 hosts") || strings.Contains(said, "still grows") {
		t.Errorf("the verdict is %s", said)
	}
	// Rows name the tier, and have no ceiling from one host's bus.
	titles := ""
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if strings.Contains(r.Title, "at once") {
				titles += r.Title + "; "
			}
		}
	}
	if !strings.HasPrefix(titles, "sd: 4 KiB random write on 2 hosts at once; ") {
		t.Errorf("rows %s", titles)
	}
	if len(reporttest.Cluster().Scaling) != 0 {
		t.Error("a run without such trials has curves")
	}
}

// curve returns a run in which one tier has these totals on one host, on two and so
// on.
func curve(totals ...[]float64) assay.Run {
	run := assay.Run{Inventory: assay.Inventory{Facts: map[string]assay.Facts{}}}
	subject := func(i int) assay.Subject {
		h := fmt.Sprint("h", i+1)
		return assay.Subject{ID: h + "/directory/x", Host: h, Name: "/x", Kind: assay.KindDirectory, Tier: "sd"}
	}
	for i := range totals {
		run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: subject(i).Host})
		trial := assay.Trial{ID: "fio/w@" + subject(i).ID, Probe: "fio", Case: "w", Title: "write", Subject: subject(i), Repeats: 6}
		run.Results = append(run.Results, assay.Result{Trial: trial, Repeats: repeats(totals[0])})
	}
	for k := 2; k <= len(totals); k++ {
		trial := assay.Trial{Probe: "fio", Case: multiclient.Case("w", k), Title: multiclient.Title("write", k), Subject: subject(0), Repeats: 6}
		trial.ID = "fio/" + trial.Case + "@" + trial.Subject.ID
		for i := 1; i < k; i++ {
			trial.Others = append(trial.Others, subject(i))
		}
		run.Results = append(run.Results, assay.Result{Trial: trial, Repeats: repeats(totals[k-1])})
	}
	return run
}

func repeats(values []float64) (all []assay.Repeat) {
	for i, v := range values {
		all = append(all, assay.Repeat{N: i + 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "storage.write.iops", Value: v, Unit: assay.PerSecond}}})
	}
	return all
}

// around returns six values around v, apart by that share of it.
func around(v, apart float64) []float64 {
	return []float64{v * (1 - apart), v * (1 + apart), v, v * (1 + apart/2), v * (1 - apart/2), v * (1 + apart/4)}
}

func TestWhereTotalsStopGrowing(t *testing.T) {
	for name, c := range map[string]struct {
		totals    [][]float64
		saturated int
		want      string
	}{
		"each its own":    {[][]float64{around(100, .01), around(200, .01), around(300, .01)}, 0, "sd: write still grows at 3 hosts: 300 IOPS"},
		"one is enough":   {[][]float64{around(100, .01), around(101, .02), around(99.5, .02)}, 1, "sd: write stops growing at 1 host: 100 IOPS in total"},
		"two are enough":  {[][]float64{around(100, .01), around(180, .01), around(181, .02), around(180, .02)}, 2, "sd: write stops growing at 2 hosts: 180 IOPS in total"},
		"it falls":        {[][]float64{around(100, .01), around(180, .01), around(120, .01)}, 2, "180 IOPS in total, and falls to 120 IOPS with 3"},
		"a late rise":     {[][]float64{around(100, .01), around(100, .02), around(250, .01)}, 0, "sd: write still grows at 3 hosts: 250 IOPS"},
		"too few":         {[][]float64{{100, 101}, {150, 151}, {150, 151}}, 0, "2 and 2 repeats are too few to tell whether 2 hosts do more than 1"},
		"too wide":        {[][]float64{around(100, .01), around(150, .6)}, 0, "can't tell whether 2 hosts do more than 1: the repeats vary too much"},
		"little but sure": {[][]float64{around(100, .001), around(104, .001)}, 0, "sd: write still grows at 2 hosts: 104 IOPS in total, 52 % of"},
		"one of them":     {[][]float64{around(100, .01), nil}, 0, ""},
	} {
		run := curve(c.totals...)
		all := report.Build(run).Scaling
		if c.want == "" {
			if len(all) != 0 {
				t.Errorf("%s: %+v", name, all)
			}
			continue
		}
		if len(all) != 1 || all[0].Saturated != c.saturated || !strings.Contains(all[0].Text, c.want) {
			t.Errorf("%s: %+v, want %d, %q", name, all, c.saturated, c.want)
		}
	}
}

// A total that the audit rejects shows nothing about growth.
func TestARejectedTotalIsNotBelieved(t *testing.T) {
	run := curve(around(100, .01), around(200, .01), around(200, .01))
	last := run.Results[len(run.Results)-1].Trial.ID
	run.Findings = []assay.Finding{{Rule: "x", Severity: assay.Rejects, Subject: last, Metrics: []string{"storage.write.iops"}}}
	s := report.Build(run).Scaling[0]
	if s.Saturated != 0 || !strings.Contains(s.Text, "still grows at 2 hosts") || !s.Points[2].Figure.Rejected {
		t.Errorf("%+v", s)
	}
}
