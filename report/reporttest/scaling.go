package reporttest

import (
	"time"

	"assay"
	"assay/plan/multiclient"
	"assay/report"
)

// Scaling is the report on ScalingRun.
func Scaling() report.Document { return report.Build(ScalingRun()) }

// ScalingRun returns a run of three hosts on two tiers, each alone and several at
// once: SD cards, one per host, and Longhorn, which two hosts saturate, so that
// three get no more. With three hosts, the sequential writes to Longhorn failed.
// Every call returns the same run.
func ScalingRun() assay.Run {
	run := assay.Run{
		ID: "20260222-120000-5ca1", Suite: "tiers", Version: "0.1.0", Status: assay.RunPartial, Seed: 3,
		Started: time.Date(2026, 2, 22, 12, 0, 0, 0, time.UTC), Elapsed: 700 * time.Second, Budget: 900 * time.Second,
		Inventory: assay.Inventory{Facts: map[string]assay.Facts{}},
		Labels:    map[string]string{"job": "weekly"},
		Remarks:   []assay.Remark{{At: time.Date(2026, 2, 22, 13, 0, 0, 0, time.UTC), Text: "node3 was moved to another switch"}},
	}
	hosts := []string{"node1", "node2", "node3"}
	for _, h := range hosts {
		run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: h})
		run.Inventory.Facts[h] = assay.Facts{Host: h}
	}
	for _, c := range []struct {
		tier, name, title, metric string
		totals                    []float64 // of one host, of two, of three
	}{
		{"sd", "randwrite-4k", "4 KiB random write", "storage.write.iops", []float64{722, 1441, 2158}},
		{"longhorn", "randwrite-4k", "4 KiB random write", "storage.write.iops", []float64{2608, 5104, 5117}},
		{"longhorn", "seqwrite-1m", "1 MiB sequential write", "storage.write.bandwidth", []float64{53e6, 61e6, 0}},
	} {
		at := func(host string, k int) assay.Result {
			r := result(host, assay.KindDirectory, "/mnt/"+c.tier, "fio", c.name, c.title, 6, map[string]float64{c.metric: c.totals[k-1]})
			r.Trial.Subject.Tier = c.tier
			return r
		}
		for _, h := range hosts {
			run.Results = append(run.Results, at(h, 1))
		}
		for _, k := range multiclient.Counts(len(hosts)) {
			r := at(hosts[0], k)
			r.Trial.Case, r.Trial.Title = multiclient.Case(c.name, k), multiclient.Title(c.title, k)
			r.Trial.ID = "fio/" + r.Trial.Case + "@" + r.Trial.Subject.ID
			for _, h := range hosts[1:k] {
				r.Trial.Others = append(r.Trial.Others, at(h, 1).Trial.Subject)
			}
			if c.totals[k-1] == 0 {
				r.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Broke, Error: "host node3: fio: input/output error", Hint: "look at dmesg of node3"}}
			}
			run.Results = append(run.Results, r)
		}
	}
	return run
}
