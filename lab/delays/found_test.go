package delays

import (
	"math"
	"testing"

	"assay"
)

func TestATypicalRunHasMediansForMeans(t *testing.T) {
	one := assay.Repeat{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
		{Metric: "storage.write.iops", Value: 400}, {Metric: "storage.write.latency.p50", Value: 8e-4}, {Metric: "storage.write.latency.mean", Value: 24e-4},
		{Metric: "net.rtt.mean", Value: 3e-3},
	}}
	run := assay.Run{Results: []assay.Result{{Repeats: []assay.Repeat{one}}}}
	got := typical(run).Results[0].Repeats[0]
	if mean := got.Measurement("storage.write.latency.mean").Value; mean != 8e-4 {
		t.Errorf("the mean is %g, want the median", mean)
	}
	if rtt := got.Measurement("net.rtt.mean").Value; rtt != 3e-3 {
		t.Errorf("what has no median is %g", rtt)
	}
	if mean := one.Measurement("storage.write.latency.mean").Value; mean != 24e-4 {
		t.Errorf("the run itself was changed: %g", mean)
	}
}

func TestFlushesOfASynchronousWrite(t *testing.T) {
	repeat := func(written float64, counts map[string]int64) assay.Repeat {
		w := &assay.Watch{}
		w.Before.Devices, w.After.Devices = map[string]assay.DeviceCounts{}, map[string]assay.DeviceCounts{}
		for name, n := range counts {
			w.Before.Devices[name], w.After.Devices[name] = assay.DeviceCounts{Flushes: 5}, assay.DeviceCounts{Flushes: 5 + n}
		}
		return assay.Repeat{N: 1, Outcome: assay.Done, Watch: w, Measurements: []assay.Measurement{{Metric: "storage.write.bytes", Value: written}}}
	}
	result := func(tier, name string, r assay.Repeat) assay.Result {
		return assay.Result{Trial: assay.Trial{Case: name, Subject: assay.Subject{Tier: tier}}, Repeats: []assay.Repeat{r}}
	}
	run := assay.Run{Results: []assay.Result{
		result(Both, "syncwrite-4k", repeat(100*4096, map[string]int64{"vda": 900})),
		result(Alone, "write-4k", repeat(100*4096, map[string]int64{"vda": 1})),
		result(Alone, "syncwrite-4k", repeat(100*4096, map[string]int64{"ubda": 3, "vda": 200})),
	}}
	if got := flushes(run, Alone); got != 2 {
		t.Errorf("%g flushes each, want 2", got)
	}
	if got := flushes(run, Below); !math.IsNaN(got) {
		t.Errorf("%g flushes where none were counted", got)
	}
}
