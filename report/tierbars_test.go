package report_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/reporttest"
)

// barsOf gives the bars of a picture by column.
func barsOf(t *testing.T, d report.Document, title string) map[string]report.TierBar {
	t.Helper()
	for _, table := range d.Tiers.Tables {
		for _, one := range report.BarsOf(table) {
			if strings.HasPrefix(one.Title, title) {
				all := map[string]report.TierBar{}
				for _, b := range one.Bars {
					all[b.Column] = b
				}
				return all
			}
		}
	}
	t.Fatalf("there is no picture of %s", title)
	return nil
}

func TestBarsAreSharesOfTheHighestThatIsBelieved(t *testing.T) {
	d := reporttest.Tiers()
	bars := barsOf(t, d, "4 KiB random write, IOPS")
	if b := bars["longhorn"]; b.Length != 1 || b.Beyond || b.Against != "6.89 × faster" {
		t.Errorf("the fastest that is believed: %+v", b)
	}
	if b := bars["sd"]; math.Abs(b.Length-722.7/4981.7) > .005 || !(b.Low < b.Length && b.Length < b.High) || b.Against != "" {
		t.Errorf("the base: %+v", b)
	}
	if b := bars["usb"]; !b.Rejected || !b.Beyond || b.Length != 1 || b.Against != "" {
		t.Errorf("what is rejected: %+v", b)
	}
	if b := barsOf(t, d, "4 KiB synchronous write")["usb"]; b.Absent == nil || b.Value != "" {
		t.Errorf("what failed: %+v", b)
	}
	for column, want := range map[string]string{"usb": "≠ other load", "longhorn": "1.82 × faster"} {
		if b := barsOf(t, d, "1 MiB sequential write, bandwidth")[column]; b.Against != want {
			t.Errorf("%s: %q, want %q", column, b.Against, want)
		}
	}
	if b := barsOf(t, d, "4 KiB random read")["usb"]; b.Against != "~ 1.00 ×" {
		t.Errorf("what is the same: %+v", b)
	}
}

// Where nothing is believed, the bars are still those of the figures.
func TestBarsOfWhatIsRejected(t *testing.T) {
	run := reporttest.TiersRun()
	for _, host := range []string{"sd", "longhorn"} {
		run.Findings = append(run.Findings, assay.Finding{Rule: "device-reconcile", Severity: assay.Rejects, Subject: fmt.Sprintf("fio/randwrite-4k@%s/directory//assay", host)})
	}
	bars := barsOf(t, report.Build(run), "4 KiB random write, IOPS")
	if u, s := bars["usb"], bars["sd"]; u.Length != 1 || u.Beyond || !s.Rejected || math.Abs(s.Length-722.7/91e3) > .001 {
		t.Errorf("%+v, %+v", u, s)
	}
}

// One tier alone is beside nothing: it has its section, and what binds it.
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
