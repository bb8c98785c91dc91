package precision

import (
	"math"
	"testing"

	"assay"
)

func result(bs string, values map[string][]float64) assay.Result {
	r := assay.Result{Trial: assay.Trial{Repeats: 6, Precision: .02, Settings: map[string]string{"bs": bs}}}
	n := 0
	for _, v := range values {
		n = max(n, len(v))
	}
	for i := range n {
		rep := assay.Repeat{N: i + 1, Outcome: assay.Done}
		for _, metric := range []string{"storage.read.iops", "storage.read.bandwidth", "storage.write.iops", "storage.read.latency.p99"} {
			if v := values[metric]; i < len(v) {
				rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: metric, Value: v[i]})
			}
		}
		r.Repeats = append(r.Repeats, rep)
	}
	return r
}

var (
	calm = []float64{99, 100, 100, 100, 101, 101}
	wild = []float64{90, 100, 100, 100, 105, 110}
)

func TestOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    assay.Result
		want State
	}{
		{"known", result("4k", map[string][]float64{"storage.read.iops": calm}),
			State{Metric: "storage.read.iops", Wanted: .02, Wide: .01, Met: true, N: 6}},
		{"not known", result("4k", map[string][]float64{"storage.read.iops": wild}),
			State{Metric: "storage.read.iops", Wanted: .02, Wide: .1, N: 6, More: 144}},
		{"the tail of the latency is no headline", result("4k", map[string][]float64{"storage.read.iops": calm, "storage.read.latency.p99": wild}),
			State{Metric: "storage.read.iops", Wanted: .02, Wide: .01, Met: true, N: 6}},
		{"large blocks are about bytes", result("1m", map[string][]float64{"storage.read.iops": wild, "storage.read.bandwidth": calm}),
			State{Metric: "storage.read.bandwidth", Wanted: .02, Wide: .01, Met: true, N: 6}},
		{"of two the one known worst", result("4k", map[string][]float64{"storage.read.iops": calm, "storage.write.iops": wild}),
			State{Metric: "storage.write.iops", Wanted: .02, Wide: .1, N: 6, More: 144}},
		{"no interval yet", result("4k", map[string][]float64{"storage.read.iops": calm[:4]}),
			State{Metric: "storage.read.iops", Wanted: .02, Wide: math.Inf(1), N: 4, More: 2}},
		{"nothing yet", result("4k", nil), State{Wanted: .02, Wide: math.Inf(1), More: 6}},
	} {
		got, ok := Of(tt.r)
		if !ok || math.Abs(got.Wide-tt.want.Wide) > 1e-9 {
			t.Errorf("%s: %+v, %v", tt.name, got, ok)
			continue
		}
		if got.Wide = tt.want.Wide; got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestNothingIsWanted(t *testing.T) {
	for name, spoil := range map[string]func(*assay.Trial){
		"no precision": func(t *assay.Trial) { t.Precision = 0 },
		"absent":       func(t *assay.Trial) { t.Absent = &assay.Absence{Word: assay.NoData} },
	} {
		r := result("4k", map[string][]float64{"storage.read.iops": wild})
		spoil(&r.Trial)
		if s, ok := Of(r); ok {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
