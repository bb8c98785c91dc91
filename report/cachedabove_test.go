package report_test

import (
	"fmt"
	"slices"
	"testing"

	"assay"
	"assay/report"
	"assay/report/reporttest"
)

// Figures served from a hypervisor's memory are not those of a drive, and the verdict says so
// for one host, for several and for tiers.
func TestFiguresOfAHypervisorsMemoryAreInTheVerdict(t *testing.T) {
	for name, build := range map[string]func() assay.Run{"hosts": reporttest.ClusterRun, "tiers": reporttest.TiersRun, "several at once": reporttest.ScalingRun} {
		run := build()
		found := run.Results[slices.IndexFunc(run.Results, func(r assay.Result) bool { return len(r.Repeats) > 0 && r.Trial.Probe == "fio" })].Trial
		above := assay.Finding{Rule: "hypervisor-cache", Severity: assay.Warns, Subject: found.ID, Metrics: []string{"storage.read.iops"}, Message: "kvm1's memory answered 99.9 % of these reads, not the drive"}
		run.Findings = []assay.Finding{above, above}
		want := fmt.Sprintf("%s (%s): kvm1's memory answered 99.9 %% of these reads, not the drive [1]; so it is with 1 more result.", titleOf(run, found), found.Subject.ID)
		verdict := report.Build(run).Verdict
		if !slices.ContainsFunc(verdict, func(s report.Sentence) bool { return s.Kind == "doubt" && s.Text == want }) {
			t.Errorf("%s: want %q in %+v", name, want, verdict)
		}
	}
}

// titleOf returns the title of the row for a trial in a report.
func titleOf(run assay.Run, trial assay.Trial) string {
	for _, s := range report.Build(run).Sections {
		for _, r := range s.Rows {
			if r.Trial == trial.ID {
				return r.Title
			}
		}
	}
	return ""
}
