package report_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/analysis"
	"assay/internal/quantity"
	"assay/inventory/traits"
	"assay/limits"
	"assay/report"
	"assay/report/reporttest"
	"assay/stats"
)

// sickRuns returns runs of the fixture with other faults.
func sickRuns() map[string]assay.Run {
	with := func(change func(host string, f *assay.Facts, run *assay.Run)) assay.Run {
		run := reporttest.ClusterRun()
		for h, f := range run.Inventory.Facts {
			f.Block, f.NICs = slices.Clone(f.Block), slices.Clone(f.NICs)
			change(h, &f, &run)
			run.Inventory.Facts[h] = f
		}
		return run
	}
	return map[string]assay.Run{
		"as it is": reporttest.ClusterRun(),
		"no facts": with(func(_ string, f *assay.Facts, _ *assay.Run) { *f = assay.Facts{Host: f.Host} }),
		"a quota, a clock and a wrapper": with(func(h string, f *assay.Facts, run *assay.Run) {
			f.Limits, f.Clock = &assay.LimitFacts{}, &assay.ClockFacts{Within: .01}
			f.Tools = []assay.ToolFacts{{Name: "fio", Path: "/usr/bin/fio", Version: "3.33", Script: h == "pve2"}}
			f.Block[0].Link = limits.PCIe(8, 4)
			switch h {
			case "pve3":
				f.Limits = &assay.LimitFacts{CPU: .08}
				slowDown(run.Results, h, "cpu.events_per_second")
			case "pve4":
				f.Clock.Offset = 3600
			}
		}),
	}
}

// slowDown makes a host eight times slower in a metric.
func slowDown(results []assay.Result, host, metric string) {
	for _, r := range results {
		for _, rep := range r.Repeats {
			for i := range rep.Measurements {
				if m := &rep.Measurements[i]; r.Trial.Subject.Host == host && m.Metric == metric {
					m.Value /= 8
				}
			}
		}
	}
}

// number matches a figure in a sentence: with a digit, up to the unit.
var number = regexp.MustCompile(`[0-9][0-9.,]*[0-9]|[0-9]`)

// Every number in a diagnosis follows from the document's own tables and the facts: each
// effect is that of the cells, and each figure in the text is that of an effect, a sign or
// a fact.
func TestDiagnosesSayNumbersOfTheDocument(t *testing.T) {
	checked := 0
	for name, run := range sickRuns() {
		d := report.Build(run)
		if len(d.Diagnoses) < 3 {
			t.Errorf("%s: %d diagnoses", name, len(d.Diagnoses))
		}
		for _, one := range d.Diagnoses {
			known := factTexts(run)
			for _, e := range one.Effects {
				own, others := cellsOf(d.Side, one, e)
				if stats.Median(own) != e.Own || slices.Min(others) != e.From || slices.Max(others) != e.To {
					t.Errorf("%s: %s %s: %v, %v to %v; the cells have %v, %v", name, one.Host, e.Metric, e.Own, e.From, e.To, own, others)
				}
				if !(e.Low <= e.Ratio && e.Ratio <= e.High && e.Ratio >= 1) {
					t.Errorf("%s: %s %s: ratio %v in [%v, %v]", name, one.Host, e.Metric, e.Ratio, e.Low, e.High)
				}
				for _, v := range []float64{e.Own, e.From, e.To} {
					known = append(known, quantity.Of(e.Metric, v))
				}
				known = append(known, quantity.Two(e.Ratio), e.Title)
			}
			for _, s := range one.Signs {
				for _, v := range []float64{s.Least, s.Greatest, s.Others, float64(s.Paths)} {
					known = append(known, quantity.Grouped(v))
				}
			}
			text, all := one.Text, strings.Join(append(known, strings.Join(d.Run.Hosts, " "), "in "+quantity.Grouped(float64(len(one.Effects)))+" rows"), " ")
			for _, n := range number.FindAllString(text, -1) {
				if checked++; !slices.Contains(number.FindAllString(all, -1), n) {
					t.Errorf("%s: %q is nowhere in the document: %s", name, n, text)
				}
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d numbers", checked)
	}
}

// cellsOf returns the values behind an effect, and the others'.
func cellsOf(side *report.Side, d report.Diagnosis, e analysis.Effect) (own, others []float64) {
	for _, table := range side.Tables {
		for _, r := range table.Rows {
			for i, c := range r.Cells {
				switch {
				case r.Title != e.Title || r.Metric != e.Metric || c.Figure == nil:
				case side.Hosts[i] == d.Host:
					own = append(own, c.Figure.Value)
				default:
					others = append(others, c.Figure.Value)
				}
			}
		}
	}
	for _, m := range side.Networks {
		if m.Network != e.Network || m.Title != e.Title || m.Metric != e.Metric {
			continue
		}
		for i := range m.Cells {
			for j, c := range m.Cells[i] {
				from, to := m.Hosts[i], m.Hosts[j]
				is := map[analysis.Ways]bool{
					analysis.BothOfHost: from == d.Host || to == d.Host, analysis.FromHost: from == d.Host, analysis.ToHost: to == d.Host,
					analysis.OneOfPath: from == d.Host && to == d.Peer, analysis.BothOfPath: from == d.Host && to == d.Peer || from == d.Peer && to == d.Host,
				}[e.Ways]
				switch {
				case c.Figure == nil || c.Via != "":
				case is:
					own = append(own, c.Figure.Value)
				default:
					others = append(others, c.Figure.Value)
				}
			}
		}
	}
	return own, others
}

// factTexts returns the facts of all hosts as people read them.
func factTexts(run assay.Run) (all []string) {
	for _, f := range run.Inventory.Facts {
		for _, x := range traits.Host {
			all = append(all, x.Text(f))
		}
		for _, n := range f.NICs {
			all = append(all, quantity.Rate(n.Speed))
		}
	}
	for _, v := range limits.EthernetSpeeds {
		all = append(all, quantity.Rate(v))
	}
	return all
}

// The verdict does not call hosts "good" while something is left: a clock that is an
// hour off slows nothing, but is mentioned.
func TestAFactAloneIsInTheVerdict(t *testing.T) {
	d := report.Build(sickRuns()["a quota, a clock and a wrapper"])
	for _, want := range []string{"pve4's clock is 3600 s ahead.", "pve2's fio is 3.33 (a script), theirs 3.33.", "Certain: its CPU quota is 8 % of one CPU, theirs none."} {
		if !slices.ContainsFunc(d.Diagnoses, func(one report.Diagnosis) bool { return strings.Contains(one.Text, want) }) {
			var said []string
			for _, one := range d.Diagnoses {
				said = append(said, one.Text)
			}
			t.Errorf("nothing says %q:\n%s", want, strings.Join(said, "\n"))
		}
	}
}
