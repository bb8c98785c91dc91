package report

import (
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/analysis"
	"assay/analysis/fitness"
)

func TestEachKindOfPointIsASentence(t *testing.T) {
	figure := Figure{Metric: "storage.read.iops", Value: 3, N: 1, Ceiling: &Ceiling{Name: "4 threads", Value: 4, Share: .75}}
	gone := analysis.Away{Host: "pve3", Absent: assay.Absence{Why: "no answer", Hint: "start it", Gone: "pve3"}, None: 1}
	for _, says := range []any{
		analysis.HostsAway{Hosts: []analysis.Away{gone}}, analysis.RowsLacking{Interrupted: true},
		analysis.RowsLacking{Rows: 1, Of: 2, First: Row{Absent: &assay.Absence{Why: "no tool."}}},
		analysis.NotIdle{Trials: 1}, analysis.CachedAbove{Results: 1, First: analysis.Footnote{Finding: assay.Finding{Message: "memory"}}}, analysis.Audited{Figures: 1, Rejected: []string{"reads"}}, analysis.Loose{Rows: 1, Of: 2}, analysis.Loose{Audited: analysis.Audited{Figures: 3}},
		analysis.Fits{{Hosts: []string{"a"}, Uses: []analysis.FitUse{{Fitness: fitness.Fitness{Use: fitness.Etcd, Grade: fitness.Unfit, By: fitness.Storage[0]}}}}}, analysis.DriveTrouble{Figure: figure},
		analysis.Bottleneck{}, analysis.Bottleneck{Title: "reads", Ceiling: figure.Ceiling}, analysis.Heat{Rise: figure, Load: figure},
		analysis.Converged{Known: analysis.Known{Of: 1}}, analysis.NotConverged{}, analysis.Suggested{Advice: "rest"}, analysis.QuickRun{}, analysis.Returning{Away: gone},
		analysis.More{N: 2, What: "tier"}, analysis.Outlier{}, analysis.Mend{Outlier: analysis.Outlier{}},
		analysis.NoneStandsOut{Rows: 1}, analysis.SingleReadings{}, analysis.Compared{Same: []string{"reads"}}, analysis.TierBind{Metric: "storage.read.bandwidth"},
		analysis.ScalingCurve{}, analysis.SyncWrites{IOPS: figure}, analysis.CacheEffect{On: figure, Off: figure}, analysis.RandomReads{Title: "reads", IOPS: figure}, analysis.Transfers{Read: &figure}, analysis.Threads{Scaling: figure},
	} {
		if text := pointWords(analysis.Point{Tone: analysis.Good, Says: says}, assay.Run{ID: "r1"}); !strings.HasSuffix(text, ".") || len(text) < 5 {
			t.Errorf("%T: %q", says, text)
		}
	}
}

func TestRejectedRowsAreNamedByCase(t *testing.T) {
	got := byCase([]string{"host1: reads", "CPU, 1 thread", "host2: reads", "host3: writes"})
	if want := []string{"reads (host1 and host2)", "CPU, 1 thread", "writes (host3)"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
