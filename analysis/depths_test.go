package analysis

import (
	"strconv"
	"testing"

	"assay"
)

func TestDepthSweep(t *testing.T) {
	sweep := func(iops map[int]float64, source string) []Point {
		var f Found
		for _, depth := range []int{256, 1, 16, 64, 4} {
			if iops[depth] == 0 {
				continue
			}
			m := assay.Measurement{Metric: "storage.read.iops", Value: iops[depth], Unit: assay.PerSecond,
				Labels: map[string]string{"pattern": "randread", "iodepth": strconv.Itoa(depth), "bs": "4k"}}
			f.Run.Results = append(f.Run.Results, assay.Result{
				Trial:   assay.Trial{ID: strconv.Itoa(depth), Subject: assay.Subject{ID: "h/block/x", Kind: assay.KindBlock, Name: "/dev/x", Source: source}},
				Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{m}}},
			})
		}
		return f.depthSweeps()
	}
	got := sweep(map[int]float64{1: 10e3, 4: 38e3, 16: 140e3, 64: 380e3, 256: 400e3}, "/dev/x")
	if len(got) != 1 {
		t.Fatalf("got %+v", got)
	}
	s := got[0].Says.(DepthSweep)
	if s.Knee.Depth != 64 || s.Most.Depth != 256 || s.Points[0].Depth != 1 || s.Writes {
		t.Errorf("got %+v", s)
	}
	if got := sweep(map[int]float64{1: 10e3, 4: 38e3}, "/dev/x"); len(got) > 0 {
		t.Errorf("two depths: %+v", got)
	}
	if got := sweep(map[int]float64{1: 10e3, 4: 38e3, 16: 140e3}, ""); len(got) > 0 {
		t.Errorf("of a tier: %+v", got)
	}
}
