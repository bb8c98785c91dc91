package fio

import (
	"math"
	"testing"
)

// status returns a status of fio after some seconds of 4 KiB writes at 1,000 a second,
// where it read the operations late by some more seconds.
func status(bs string, seconds, late float64) document {
	set := func(v float64) number { return number{v: v, set: true} }
	const iops, block = 1000, 4096
	j := &job{name: "w", options: options{"bs": bs}}
	*j.make("write") = direction{
		ioBytes: set(seconds * iops * block), ioKBytes: set(0),
		runtime: set(seconds * 1e3), ios: set((seconds + late) * iops),
	}
	return document{jobs: []*job{j}}
}

// If a busy fio reads operations later than bytes, the rate stays right where the
// block size is known.
func TestOperationsReadLate(t *testing.T) {
	for bs, off := range map[string]float64{"4k": 0, "4096": 0, "8k,4k": 0, "": .3, "4k-8k": .3} {
		documents := []document{status(bs, 1, .3), status(bs, 2, 0), status(bs, 3, .2), status(bs, 4, 0)}
		all := samples(windows(documents, 0, "write"), func(w window) float64 { return w.ios })
		if len(all) != 4 {
			t.Fatalf("bs=%s: %d samples", bs, len(all))
		}
		worst := 0.
		for _, s := range all {
			worst = max(worst, math.Abs(s.Value/1000-1))
		}
		if math.Abs(worst-off) > 1e-9 {
			t.Errorf("bs=%s: off by %g, not %g: %v", bs, worst, off, all)
		}
	}
}
