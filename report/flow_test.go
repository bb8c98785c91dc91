package report_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/analysis"
	"assay/report"
	"assay/report/reporttest"
)

// bothWays leaves one trial in the run: bidirectional TCP between pve1 and pve2
// on storage.
func bothWays(run *assay.Run, absent *assay.Absence) {
	s := assay.Subject{ID: "pve1/link/storage:pve2", Kind: assay.KindLink, Host: "pve1", Peer: "pve2", Network: "storage", Name: "storage:pve2"}
	t := assay.Trial{ID: "iperf3/tcp-both@" + s.ID, Probe: "iperf3", Case: "tcp-both", Title: "TCP, both ways at once, pve1 ↔ pve2 on storage",
		Subject: s, Peer: "pve2", Repeats: 1, Length: 3 * time.Second, Absent: absent}
	r := assay.Result{Trial: t}
	if absent == nil {
		way := func(direction, from, to, device, peer string, v float64) assay.Measurement {
			return assay.Measurement{Metric: "net.tcp.throughput", Value: v / 8, Labels: map[string]string{
				"direction": direction, "bidir": "1", "from": from, "to": to, "interface": device, "peer_interface": peer,
				"network": "storage", "protocol": "tcp", "streams": "1", "omit": "1", "pmtu": "1500"}}
		}
		r.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
			way("forward", "pve1", "pve2", "fast", "fast", 9.0e9), way("reverse", "pve2", "pve1", "fast", "fast", 4.0e9),
		}}}
	}
	run.Results = append(run.Results, r)
}

func TestBothWaysAtOnceAreTwoRows(t *testing.T) {
	run := reporttest.ClusterRun()
	run.Results = run.Results[:len(run.Results):len(run.Results)]
	bothWays(&run, nil)
	d := report.Build(run)
	var got []report.Row
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if strings.Contains(r.Trial, "tcp-both") {
				got = append(got, r)
			}
		}
	}
	if len(got) != 2 {
		t.Fatalf("%d rows: %+v", len(got), got)
	}
	for i, want := range []struct {
		title string
		bits  float64
	}{{"pve1 → pve2 on storage: TCP, both ways at once", 9e9}, {"pve2 → pve1 on storage: TCP, both ways at once", 4e9}} {
		r := got[i]
		if r.Title != want.title || r.Figures[0].Value != want.bits/8 || r.Settings != "tcp, 1 flow, without the first 1 s" {
			t.Errorf("%q: %v, %q", r.Title, r.Figures[0].Value, r.Settings)
		}
		c := r.Figures[0].Ceiling
		if c == nil || c.Name != "10 Gb/s" || math.Abs(c.Value-10e9/8*1448/1538) > 1 || math.Abs(c.Share-want.bits/(10e9*1448/1538)) > 1e-9 {
			t.Errorf("%q: the line is %+v", r.Title, c)
		}
	}
}

func TestWhatBothWaysLackIsLackingBothWays(t *testing.T) {
	run := reporttest.ClusterRun()
	bothWays(&run, nil)
	last := run.Results[len(run.Results)-1]
	last.Trial.Subject.Peer, last.Trial.Peer = "pve3", "pve3"
	last.Trial.ID = "iperf3/tcp-both@pve1/link/storage:pve3"
	last.Trial.Title = "TCP, both ways at once, pve1 ↔ pve3 on storage"
	last.Trial.Absent = &assay.Absence{Word: assay.Failed, Why: "no route"}
	last.Repeats = nil
	run.Results = append(run.Results, last)
	for _, m := range report.Build(run).Side.Networks {
		if m.Title != "TCP, both ways at once" {
			continue
		}
		if m.Cells[0][2].Absent == nil || m.Cells[2][0].Absent == nil {
			t.Errorf("%+v, %+v", m.Cells[0][2], m.Cells[2][0])
		}
		if m.Cells[0][1].Figure == nil || m.Cells[1][0].Figure == nil || m.Cells[0][1].Figure.Value == m.Cells[1][0].Figure.Value {
			t.Errorf("%+v, %+v", m.Cells[0][1], m.Cells[1][0])
		}
		return
	}
	t.Error("there is no matrix of it")
}

func TestTheLineOfALink(t *testing.T) {
	for name, k := range map[string]struct {
		change func(run *assay.Run)
		want   string // name of the ceiling, "" for none
	}{
		"the slower interface":           {func(*assay.Run) {}, "10 Gb/s"},
		"one end's is not known":         {func(run *assay.Run) { setNICs(run, "pve2", nil) }, "10 Gb/s"},
		"neither is, and nobody says it": {func(run *assay.Run) { setNICs(run, "pve2", nil); setNICs(run, "pve1", nil) }, ""},
		"the speed of a veth is made up": {func(run *assay.Run) {
			for _, h := range []string{"pve1", "pve2"} {
				setNICs(run, h, []assay.NICFacts{{Name: "fast", Virtual: true, Speed: 10e9}})
			}
		}, ""},
		"somebody says it": {func(run *assay.Run) {
			setNICs(run, "pve1", nil)
			setNICs(run, "pve2", nil)
			run.Inventory.Networks[1].Rate = 2.5e9
		}, "2.5 Gb/s as given"},
		"a detour is several lines": {func(run *assay.Run) {
			for _, m := range run.Results[len(run.Results)-1].Repeats[0].Measurements {
				m.Labels["route"] = "through pve4"
			}
		}, ""},
		"the size of a packet is not known": {func(run *assay.Run) {
			for _, m := range run.Results[len(run.Results)-1].Repeats[0].Measurements {
				delete(m.Labels, "pmtu")
			}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			run := reporttest.ClusterRun()
			bothWays(&run, nil)
			k.change(&run)
			for _, s := range report.Build(run).Sections {
				for _, r := range s.Rows {
					if !strings.Contains(r.Trial, "tcp-both") {
						continue
					}
					got := ""
					if c := r.Figures[0].Ceiling; c != nil {
						got = c.Name
					}
					if got != k.want {
						t.Errorf("%s: %q, want %q", r.Title, got, k.want)
					}
				}
			}
		})
	}
}

func setNICs(run *assay.Run, host string, nics []assay.NICFacts) {
	f := run.Inventory.Facts[host]
	f.NICs = nics
	run.Inventory.Facts[host] = f
}

func TestManyWaysAreSummedUp(t *testing.T) {
	said := map[string]string{}
	for _, m := range reporttest.Cluster().Side.Networks {
		said[m.Network+": "+report.MatrixName(m)] = report.Summary(m)
	}
	for name, want := range map[string]string{
		"management: path MTU":               "1500 B on all 6 paths, n=1 × 5.00 s",
		"storage: TCP, one flow, throughput": "943 Mbit/s (pve1 → pve3) to 9.43 Gbit/s (pve3 → pve2, 100 % of the line), median ",
	} {
		if got := said[name]; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, k := range []struct {
		values []float64
		want   string
	}{
		{nil, ""},
		{[]float64{1e9 / 8}, "1.00 Gbit/s (a → b)"},
		{[]float64{1e9 / 8, 9e9 / 8}, "1.00 Gbit/s (a → b) to 9.00 Gbit/s (b → a), median 5.00 Gbit/s, 2 ways"},
	} {
		m := analysis.Matrix{Metric: "net.tcp.throughput", Better: "higher", Hosts: []string{"a", "b"}, Cells: [][]analysis.SideCell{{{}, {}}, {{}, {}}}}
		for i, v := range k.values {
			m.Cells[i][1-i].Figure = &report.Figure{Metric: m.Metric, Value: v, Low: v, High: v, N: 1}
		}
		if got := report.Summary(m); got != k.want {
			t.Errorf("%v: %q, want %q", k.values, got, k.want)
		}
	}
}
