package report_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/block"
	"assay/report/reporttest"
)

// barsOf returns the bars of a picture by column.
func barsOf(t *testing.T, d report.Document, title string) map[string]block.Bar {
	t.Helper()
	all := map[string]block.Bar{}
	for _, b := range report.Blocks(d).Blocks {
		bars, _ := b.(block.Bars)
		for _, bar := range bars.Bars {
			if strings.HasPrefix(bar.Group, title) {
				all[bar.Title] = bar
			}
		}
	}
	if len(all) == 0 {
		t.Fatalf("there is no picture of %s", title)
	}
	return all
}

func TestBarsAreSharesOfTheHighestThatIsBelieved(t *testing.T) {
	d := reporttest.Tiers()
	bars := barsOf(t, d, "4 KiB random write, IOPS")
	if b := bars["longhorn"]; b.Share != 1 || b.Beyond || b.Aside != "6.89 × faster" {
		t.Errorf("the fastest that is believed: %+v", b)
	}
	if b := bars["sd"]; math.Abs(float64(b.Share)-722.7/4981.7) > .005 || !(b.Low < b.Share && b.Share < b.High) || b.Aside != "" {
		t.Errorf("the base: %+v", b)
	}
	if b := bars["usb"]; !b.Cell.Figure.Rejected || !b.Beyond || b.Share != 1 || b.Aside != "" {
		t.Errorf("what is rejected: %+v", b)
	}
	if b := barsOf(t, d, "4 KiB synchronous write")["usb"]; b.Absent == nil || b.Cell.Text != "" {
		t.Errorf("what failed: %+v", b)
	}
	for column, want := range map[string]string{"usb": "≠ other load", "longhorn": "1.82 × faster"} {
		if b := barsOf(t, d, "1 MiB sequential write, bandwidth")[column]; b.Aside != want {
			t.Errorf("%s: %q, want %q", column, b.Aside, want)
		}
	}
	if b := barsOf(t, d, "4 KiB random read")["usb"]; b.Aside != "~ 1.00 ×" {
		t.Errorf("what is the same: %+v", b)
	}
}

// If everything is rejected, the bars still show the figures.
func TestBarsOfWhatIsRejected(t *testing.T) {
	run := reporttest.TiersRun()
	for _, host := range []string{"sd", "longhorn"} {
		run.Findings = append(run.Findings, assay.Finding{Rule: "device-reconcile", Severity: assay.Rejects, Subject: fmt.Sprintf("fio/randwrite-4k@%s/directory//assay", host)})
	}
	bars := barsOf(t, report.Build(run), "4 KiB random write, IOPS")
	if u, s := bars["usb"], bars["sd"]; u.Share != 1 || u.Beyond || !s.Cell.Figure.Rejected || math.Abs(float64(s.Share)-722.7/91e3) > .001 {
		t.Errorf("%+v, %+v", u, s)
	}
}

// A single tier is not compared: it has its section, and what binds it.
func TestOneTierHasNoTable(t *testing.T) {
	run := reporttest.TiersRun()
	run.Inventory.Tiers = run.Inventory.Tiers[:1]
	results := run.Results
	run.Results = nil
	for _, r := range results {
		if r.Trial.Subject.Tier == "sd" {
			run.Results = append(run.Results, r)
		}
	}
	d := report.Build(run)
	if d.Tiers == nil || len(d.Tiers.Tables) > 0 || len(d.Tiers.Binds) == 0 || len(d.Sections) == 0 {
		t.Errorf("%+v", d.Tiers)
	}
}
