package analysis

import (
	"testing"

	"assay"
	"assay/analysis/fitness"
)

// logRun returns a run whose log writes have these flush times, in s.
func logRun(p99 float64, commits float64) assay.Run {
	dir := assay.Subject{ID: "pve1/directory//srv", Kind: assay.KindDirectory, Host: "pve1", Name: "/srv"}
	run := assay.Run{Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "pve1"}}, Subjects: []assay.Subject{dir}}}
	add := func(name string, labels map[string]string, values map[string]float64) {
		r := assay.Result{Trial: assay.Trial{ID: "fio/" + name, Probe: "fio", Case: name, Title: name, Subject: dir}}
		for n := 1; n <= 6; n++ {
			rep := assay.Repeat{N: n, Outcome: assay.Done}
			for metric, v := range values {
				rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: metric, Value: v, Labels: labels})
			}
			r.Repeats = append(r.Repeats, rep)
		}
		run.Results = append(run.Results, r)
	}
	log := func(jobs, bs string) map[string]string {
		return map[string]string{"pattern": "write", "bs": bs, "jobs": jobs, "iodepth": "1", "fdatasync": "1", "direct": "0"}
	}
	flush := map[string]float64{"storage.write.iops": commits, "storage.sync.latency.p50": p99 / 4, "storage.sync.latency.p99": p99, "storage.sync.latency.p99_9": 2 * p99}
	add("wal-etcd", log("1", "2300"), flush)
	add("wal-postgres", log("1", "8k"), flush)
	add("wal-postgres-4", log("4", "8k"), map[string]float64{"storage.write.iops": 3 * commits})
	add("syncwrite-4k", map[string]string{"pattern": "randwrite", "bs": "4k", "jobs": "1", "iodepth": "1", "sync": "1", "direct": "1"},
		map[string]float64{"storage.write.iops": commits, "storage.write.latency.p50": p99 / 4, "storage.write.latency.p99": p99, "storage.write.latency.p99_9": 2 * p99})
	add("asyncwrite-4k", map[string]string{"pattern": "randwrite", "bs": "4k", "jobs": "1", "iodepth": "16", "sync": "0", "direct": "1"},
		map[string]float64{"storage.write.iops": 40 * commits})
	return run
}

func TestWhatWaitsForALog(t *testing.T) {
	for _, c := range []struct {
		p99, commits float64
		want         map[fitness.Use]fitness.Grade
	}{
		{2e-3, 900, map[fitness.Use]fitness.Grade{fitness.Etcd: fitness.Good, fitness.Databases: fitness.Good, fitness.VMDisks: fitness.Good}},
		{16e-3, 137, map[fitness.Use]fitness.Grade{fitness.Etcd: fitness.Unfit, fitness.Databases: fitness.Good, fitness.VMDisks: fitness.Unfit}},
		{90e-3, 40, map[fitness.Use]fitness.Grade{fitness.Etcd: fitness.Unfit, fitness.Databases: fitness.Unfit, fitness.VMDisks: fitness.Unfit}},
	} {
		found := Of(logRun(c.p99, c.commits))
		if len(found.Waits) != 3 {
			t.Fatalf("%g s: %d uses wait: %+v", c.p99, len(found.Waits), found.Waits)
		}
		for _, w := range found.Waits {
			if w.Grade != c.want[w.Use] || w.P99 != c.p99 || w.Rate != c.commits {
				t.Errorf("%s at %g s: %s, p99 %g, %g a second; want %s", w.Use, c.p99, w.Grade, w.P99, w.Rate, c.want[w.Use])
			}
			if w.Use == fitness.Databases && (len(w.Group) != 1 || w.Group[0] != (GroupCommit{4, 3 * c.commits})) {
				t.Errorf("group commit: %+v", w.Group)
			}
			if w.Use == fitness.VMDisks && (w.Async != 40*c.commits || w.InFlight != 16) {
				t.Errorf("asynchronous: %g, %d in flight", w.Async, w.InFlight)
			}
		}
		if p, is := found.Verdict[0].Says.(Wait); !is || p.Use != fitness.Etcd {
			t.Errorf("the verdict begins with %T", found.Verdict[0].Says)
		}
	}
}

// Figures that the audit rejects make nobody wait, and a run without logs has no
// such part.
func TestARejectedLogIsNotJudged(t *testing.T) {
	run := logRun(2e-3, 900)
	for _, r := range run.Results {
		run.Findings = append(run.Findings, assay.Finding{Rule: "flush-too-fast", Severity: assay.Rejects, Subject: r.Trial.ID})
	}
	if found := Of(run); len(found.Waits) != 0 {
		t.Errorf("%+v", found.Waits)
	}
	run = logRun(2e-3, 900)
	run.Results = run.Results[3:]
	if found := Of(run); len(found.Waits) != 0 {
		t.Errorf("without a log: %+v", found.Waits)
	}
}

// Thresholds in IOPS are about many operations at once. What storage does one by one is its
// latency, and judges nothing here.
func TestOperationsOneByOneAreNoRandomReads(t *testing.T) {
	at := func(depth string, iops float64) assay.Result {
		s := assay.Subject{ID: "vms/image", Kind: assay.KindDirectory, Host: "pve1", Name: "/srv"}
		r := assay.Result{Trial: assay.Trial{ID: "fio/randread-" + depth, Probe: "fio", Case: "randread-" + depth, Subject: s}}
		for n := 1; n <= 6; n++ {
			r.Repeats = append(r.Repeats, assay.Repeat{N: n, Outcome: assay.Done, Measurements: []assay.Measurement{
				{Metric: "storage.read.iops", Value: iops, Labels: map[string]string{"pattern": "randread", "bs": "4k", "jobs": "1", "iodepth": depth}},
			}})
		}
		return r
	}
	for _, c := range []struct {
		name    string
		results []assay.Result
	}{
		{"both", []assay.Result{at("1", 2e3), at("32", 4e4)}},
		{"one by one alone", []assay.Result{at("1", 2e3)}},
	} {
		b := builderOf(assay.Run{Results: c.results})
		if r, known := b.storageReadings(c.results)[fitness.RandomReads]; known != (len(c.results) == 2) || known && r.Value != 4e4 {
			t.Errorf("%s: reads at %g", c.name, r.Value)
		}
	}
}
