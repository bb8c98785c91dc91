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
		analysis.TwoHosts{Rows: 1, Alike: 1}, analysis.TwoHosts{Rows: 2}, analysis.TwoHosts{Rows: 1, Most: &analysis.Between{Title: "reads"}}, analysis.TwoHosts{Rows: 1, Most: &analysis.Between{Network: "lab"}},
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

func TestADriveThatIsTooHotIsNotFailing(t *testing.T) {
	const hot, worn = "temperature out of range", "reliability degraded"
	for _, c := range []struct {
		name     string
		passed   []float64
		warnings []string
		errors   float64
		want     string
	}{
		{"its temperature alone", []float64{0, 0}, []string{hot, hot}, 0, "bad: NVMe reports that it is too hot (84.0 °C): give it a heat sink or airflow."},
		{"it cooled down again", []float64{0, 0, 1}, []string{hot, hot, ""}, 0, "bad: NVMe reports that it is too hot (84.0 °C): give it a heat sink or airflow."},
		{"worn too", []float64{0, 0}, []string{hot + ", " + worn, hot + ", " + worn}, 0, "bad: NVMe reports that it is failing: back it up now."},
		{"worn later", []float64{0, 0}, []string{hot, worn}, 0, "bad: NVMe reports that it is failing: back it up now."},
		{"no reason", []float64{0, 0}, []string{"", ""}, 0, "bad: NVMe reports that it is failing: back it up now."},
		{"an error", []float64{1, 1}, []string{"", ""}, 1, "bad: NVMe has 1 media error: data it could not correct."},
		{"errors", []float64{1, 1}, []string{"", ""}, 519, "bad: NVMe has 519 media errors: data it could not correct."},
		{"healthy", []float64{1, 1}, []string{"", ""}, 0, ""},
	} {
		var repeats []assay.Repeat
		for i, passed := range c.passed {
			labels := map[string]string{"protocol": "NVMe"}
			of := func(metric string, v float64, labels map[string]string) assay.Measurement {
				return assay.Measurement{Metric: metric, Value: v, Labels: labels}
			}
			health := of("smart.passed", passed, map[string]string{"protocol": "NVMe", "critical_warning": c.warnings[i]})
			repeats = append(repeats, assay.Repeat{N: i + 1, Outcome: assay.Done, Measurements: []assay.Measurement{
				health, of("smart.media_errors", c.errors, labels), of("smart.temperature", 84, labels)}})
		}
		d := Build(assay.Run{ID: "r1", Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "box"}}}, Results: []assay.Result{{
			Trial:   assay.Trial{ID: "smart", Title: "drive health", Subject: assay.Subject{Kind: assay.KindDrive, Host: "box", Name: "nvme0n1"}},
			Repeats: repeats,
		}}})
		var bad []string
		for line := range strings.Lines(verdictText(d)) {
			if strings.HasPrefix(line, "bad: ") {
				bad = append(bad, strings.TrimSpace(line))
			}
		}
		if got := strings.Join(bad, "\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		cell := map[bool]string{true: "passed", false: "FAILED"}[slices.Contains(c.passed, 1)]
		if strings.Contains(c.want, "too hot") {
			cell = "too hot"
		}
		if got := figureCell("box", d.Sections[0].Rows[0].Figures[0]).Text; got != cell {
			t.Errorf("%s: the table says %q, want %q", c.name, got, cell)
		}
	}
}

func TestOneIsNotPlural(t *testing.T) {
	of := func(metric string, v float64) analysis.Figure { return analysis.Figure{Metric: metric, Value: v} }
	throttled := func(n float64) string {
		times := of("thermal.throttles", n)
		return heatWords(analysis.Heat{Rise: of("thermal.rise", 40), Load: of("thermal.load", 90), Throttles: &times})
	}
	for n, want := range map[float64]string{1: "; it throttled 1 time.", 12: "; it throttled 12 times.", 0: "; no throttling events."} {
		if got := throttled(n); !strings.HasSuffix(got, want) {
			t.Errorf("%q does not end in %q", got, want)
		}
	}
}

func TestHowNearHostsAre(t *testing.T) {
	warm, trips := analysis.Near{Metric: "thermal.rise", Within: 5}, analysis.Near{Metric: "net.rtt.median", Within: 100e-6}
	for _, c := range []struct {
		none analysis.NoneStandsOut
		want string
	}{
		{analysis.NoneStandsOut{Rows: 3, Alike: 3}, "No host stands out: in 3 rows shared by three or more hosts, all are within 15 % of the median."},
		{analysis.NoneStandsOut{Rows: 1, Alike: 1, Near: []analysis.Near{warm}},
			"No host stands out: in 1 row shared by three or more hosts, all are within 15 % of the median, or within 5 °C (temperatures) of it."},
		{analysis.NoneStandsOut{Rows: 9, Alike: 7, Near: []analysis.Near{warm, trips}},
			"No host stands out: in 7 of 9 rows shared by three or more hosts, all are within 15 % of the median, or within 5 °C (temperatures) or 100 µs (round trips) of it; the rest show no clear outlier."},
	} {
		if got := noneStandsOutWords(c.none); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
