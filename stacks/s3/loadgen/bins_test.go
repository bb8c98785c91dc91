package loadgen_test

import (
	"testing"
	"time"

	"assay/stacks/s3/loadgen"
)

// Bins contain every duration, in order, each no more than 1.6 % below its upper
// end, except for those of a few microseconds, which the histogram cannot
// distinguish.
func TestBins(t *testing.T) {
	h := loadgen.NewHistogram()
	for d := time.Microsecond; d < time.Hour; d += d/10 + 1 {
		h.Record(d)
	}
	bins, total, last := h.Bins(), int64(0), 0.
	for _, b := range bins {
		if b.Upper <= last || b.Count <= 0 {
			t.Fatalf("bin %+v after %g", b, last)
		}
		total, last = total+b.Count, b.Upper
	}
	if total != h.Count() {
		t.Errorf("%d of %d are in bins", total, h.Count())
	}
	one := loadgen.NewHistogram()
	for _, d := range []time.Duration{31 * time.Microsecond, 77 * time.Microsecond, 3 * time.Millisecond, 41 * time.Second} {
		one.Record(d)
	}
	for i, d := range []time.Duration{31 * time.Microsecond, 77 * time.Microsecond, 3 * time.Millisecond, 41 * time.Second} {
		if upper := one.Bins()[i].Upper; upper < d.Seconds() || upper > d.Seconds()*1.017+1e-6 {
			t.Errorf("%s is in the bin up to %g s", d, upper)
		}
	}
	if loadgen.NewHistogram().Bins() != nil {
		t.Error("nothing has bins")
	}
}
