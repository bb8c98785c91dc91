package analysis

import (
	"slices"
	"testing"

	"assay"
	"assay/analysis/hypotheses"
)

// threadsOn returns the events per second of a number of threads on a host, one value per
// repeat.
func threadsOn(host, which, threads string, events ...float64) assay.Result {
	r := assay.Result{Trial: assay.Trial{
		ID: which + "@" + host, Case: which, Title: which, Settings: map[string]string{"threads": threads},
		Subject: assay.Subject{ID: host + "/cpu", Kind: assay.KindCPU, Host: host, Name: "cpu"},
	}}
	for i, v := range events {
		r.Repeats = append(r.Repeats, assay.Repeat{N: i + 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "cpu.events_per_second", Value: v}}})
	}
	return r
}

// A deciding trial of one thread runs long after the planned ones: the ratio of all
// threads to one is of those that ran side by side.
func TestADecidingTrialIsNotAPlannedThread(t *testing.T) {
	burst := threadsOn("pve1", hypotheses.TestBurst, "1", 250)
	burst.Trial.Decides = "pve1"
	run := assay.Run{Inventory: assay.Inventory{
		Hosts: []assay.Host{{Name: "pve1"}}, Facts: map[string]assay.Facts{"pve1": {CPU: assay.CPUFacts{Threads: 4}}},
	}}
	run.Results = []assay.Result{threadsOn("pve1", "cpu-1", "1", 1000, 1100, 1200), threadsOn("pve1", "cpu-all", "all", 4000, 4400, 4800), burst}
	rows := Of(run).rowsOf("cpu")
	at := slices.IndexFunc(rows, func(r Row) bool { return r.Title == "CPU, all threads vs one" })
	if at < 0 || len(rows) != 4 {
		t.Fatalf("%+v", rows)
	}
	if f := rows[at].Figures[0]; !slices.Equal(f.Repeats, []float64{4, 4, 4}) {
		t.Errorf("ratios %v, want 4 in each of three rounds", f.Repeats)
	}
}
