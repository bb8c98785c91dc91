package delays

import (
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
