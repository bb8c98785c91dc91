package report

import (
	"fmt"
	"math"
	"testing"

	"assay"
	"assay/analysis"
	"assay/report/block"
)

func TestTimelinesBeyondADozenAreFoldedAway(t *testing.T) {
	const n = timelinesAtOnce + 3
	var s Section
	var plots Plots
	for i := range n {
		id := fmt.Sprint("trial", i)
		s.Rows = append(s.Rows, Row{Trial: id})
		plots.Timeline = append(plots.Timeline, Series{
			Title: id, Trial: id, Unit: assay.PerSecond, Points: [][2]float64{{0, 1}, {1, 2}},
			Spans: []Span{{From: 0, To: 1, Warmup: true}, {From: 1, To: 2}, {From: 2, To: 3}},
		})
	}
	blocks := sectionPlots(s, plots)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks, want the timelines and the rest of them", len(blocks))
	}
	first, more := blocks[0].(block.Timeline), blocks[1].(block.Details)
	rest := more.Blocks[0].(block.Timeline)
	if len(first.Series) != timelinesAtOnce || len(rest.Series) != n-timelinesAtOnce || more.Summary != "3 more" || more.Open {
		t.Errorf("%d at once, %d more under %q", len(first.Series), len(rest.Series), more.Summary)
	}
	if got := first.Series[0]; len(got.Spans) != 3 || got.Aside != "2 repeats after 1 warm-up" || got.Range != "1.00 /s to 2.00 /s" {
		t.Errorf("a series rests on %+v, %q; from %q", got.Spans, got.Aside, got.Range)
	}
}

// Percentiles missing from a curve are not invented.
func TestALatencyPlotHasItsNumbers(t *testing.T) {
	p := latencyPlot([]Curve{
		{Title: "read", Count: 20000, Points: [][2]float64{{50, 1e-3}, {98, 2e-3}, {99, 4e-3}, {99.9, math.NaN()}}},
		{Title: "write", Count: 2000, Points: [][2]float64{{50, 1e-3}, {90, 3e-3}}},
	})
	want := []string{"read", "1.00 ms", "", "4.00 ms", "20,000"} // no curve has p99.9
	if len(p.Numbers.Columns) != len(want) {
		t.Fatalf("the columns are %v", p.Numbers.Columns)
	}
	for i, c := range p.Numbers.Rows[0].Cells {
		if c.Text != want[i] {
			t.Errorf("%s is %q, want %q", p.Numbers.Columns[i].Heading, c.Text, want[i])
		}
	}
}

func TestASeriesThatStandsStillHasOneValue(t *testing.T) {
	if got := seriesOf(Series{Unit: assay.Celsius, Points: [][2]float64{{0, 40}, {1, math.NaN()}, {2, 40}}}).Range; got != "40.0 °C" {
		t.Errorf("it goes from %q", got)
	}
}

// Rejected totals are not drawn, and one point is not a curve.
func TestARejectedTotalIsNotDrawn(t *testing.T) {
	at := func(hosts int, v, alone float64) analysis.ScalingPoint {
		return analysis.ScalingPoint{Hosts: hosts, Alone: alone, Figure: &Figure{Metric: "storage.read.iops", Value: v, Low: .9 * v, High: 1.1 * v, Level: .95}}
	}
	s := Scaling{Scaling: analysis.Scaling{Metric: "storage.read.iops", Unit: assay.PerSecond, Points: []analysis.ScalingPoint{at(1, 100, 0), at(2, 150, 200), at(3, 9e9, 300), {Hosts: 4, Absent: &assay.Absence{Word: assay.Failed}}}}}
	s.Points[2].Figure.Rejected = true
	p := curvePlot(s)
	if len(p.Lines) != 2 {
		t.Fatalf("%d lines", len(p.Lines))
	}
	together, alone := p.Lines[0], p.Lines[1]
	if len(together.Points) != 2 || together.Points[1] != (block.Point{2, 150}) || together.Between[1] != (block.Point{135, 165}) {
		t.Errorf("together: %v between %v", together.Points, together.Between)
	}
	if len(alone.Points) != 2 || alone.Points[0] != (block.Point{1, 100}) || alone.Points[1] != (block.Point{2, 200}) || !alone.Dashed {
		t.Errorf("one at a time: %+v", alone)
	}
	s.Points[1].Figure.Rejected = true
	if p := curvePlot(s); len(p.Lines) != 0 {
		t.Errorf("one point is drawn as %+v", p.Lines)
	}
	if p := curvePlot(Scaling{}); len(p.Lines) != 0 {
		t.Errorf("nothing is drawn as %+v", p.Lines)
	}
}

// Bars are as long as their share of the greatest total that is believed.
func TestARejectedTotalIsNoMeasureOfTheOthers(t *testing.T) {
	at := func(hosts int, v float64) analysis.ScalingPoint {
		return analysis.ScalingPoint{Hosts: hosts, Figure: &Figure{Metric: "storage.read.iops", Value: v, Low: v, High: v, Level: .95}}
	}
	s := Scaling{Scaling: analysis.Scaling{Metric: "storage.read.iops", Unit: assay.PerSecond, Points: []analysis.ScalingPoint{at(1, 100), at(2, 200), at(3, 9e9)}}}
	s.Points[2].Figure.Rejected = true
	for i, want := range []block.Bar{{Share: .5}, {Share: 1}, {Share: 1, Beyond: true}} {
		if got := curveBars(s).Bars[i]; got.Share != want.Share || got.Beyond != want.Beyond {
			t.Errorf("%s: a share of %v, beyond %v; want %v, %v", got.Title, got.Share, got.Beyond, want.Share, want.Beyond)
		}
	}
	for i := range s.Points {
		s.Points[i].Figure.Rejected = true
	}
	if got := curveBars(s).Bars[2]; got.Share != 1 || got.Beyond {
		t.Errorf("where none is believed: %+v", got)
	}
}

func TestTheTallyCountsWhatMustNotBeOverlooked(t *testing.T) {
	d := Document{
		Sections: []Section{{Rows: []Row{
			{Figures: []Figure{{}, {Rejected: true}}}, {Absent: &assay.Absence{}}, {},
		}}},
		Findings: []Footnote{{Finding: assay.Finding{Severity: assay.Warns}}, {Finding: assay.Finding{Severity: assay.Rejects}}},
		Open:     make([]assay.Finding, 2),
	}
	want := []block.Sentence{
		{Text: "2 figures"}, {Is: block.Bad, Text: "1 rejected"}, {Is: block.Doubt, Text: "1 warning"},
		{Is: block.Next, Text: "2 without a number"}, {Is: block.Next, Text: "2 rules not checked"},
	}
	if got := tally(d); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Two disks of one host, and two tiers, are told apart if measured in the same way.
func TestPicturesTellTrialsApart(t *testing.T) {
	of := func(title, id, tier string) assay.Trial {
		return assay.Trial{Title: title, Subject: assay.Subject{ID: id, Host: "deb-1", Tier: tier}}
	}
	trials := []assay.Trial{of("reads", "deb-1/block/images", "none"), of("reads", "deb-1/block/images cache=writeback", ""), of("writes", "deb-1/block/images", "none")}
	var results []assay.Result
	for _, tr := range trials {
		results = append(results, assay.Result{Trial: tr})
	}
	title := plotTitles(results)
	for i, want := range []string{"reads, none", "reads, block/images cache=writeback", "writes"} {
		if got := title(trials[i]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
