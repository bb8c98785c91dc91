package audit

import (
	"fmt"
	"testing"

	"assay"
)

// The audit judges the figures that the report shows first: bandwidth from 64 KiB
// on.
func TestHeadlinesAreThoseOfTheResult(t *testing.T) {
	for bs, want := range map[int]string{64<<10 - 512: "[storage.read.iops]", 64 << 10: "[storage.read.bandwidth]"} {
		w := &world{}
		w.storage("randread", "read", 1000, bs, 1, map[string]string{"pattern": "randread"})
		l := w.evidence().looks()[0]
		if got := fmt.Sprint(l.headlines()); got != want || got != fmt.Sprint(l.Headlines()) {
			t.Errorf("%d B: %s, want %s; the result has %s", bs, got, want, l.Headlines())
		}
	}
}

// Figures of a network or of the host's health are no load of its own.
func TestHeadlinesOfOneHostsOwnLoad(t *testing.T) {
	r := assay.Result{Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
		{Metric: "cpu.events_per_second", Value: 1}, {Metric: "memory.read.bandwidth"}, {Metric: "net.tcp.throughput", Value: 1},
	}}}}
	l := Evidence{Results: []assay.Result{r}}.looks()[0]
	if got := fmt.Sprint(l.headlines()); got != "[cpu.events_per_second]" {
		t.Error(got)
	}
}

// For an even number of repeats, one of the two in the middle is used.
func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		values  []float64
		greater bool
		want    int
	}{{[]float64{7}, true, 0}, {[]float64{3, 1, 2}, true, 2}, {[]float64{3, 1, 2}, false, 2}, {[]float64{4, 1, 3, 2}, true, 2}, {[]float64{4, 1, 3, 2}, false, 3}} {
		if got := middle(c.values, c.greater); got != c.want {
			t.Errorf("%v: %d, not %d", c.values, got, c.want)
		}
	}
}
