package report

import (
	"testing"
)

func TestFigureWords(t *testing.T) {
	f := Figure{Metric: "storage.read.iops", Value: 1000, Low: 980, High: 1010, Level: .95, N: 6, Seconds: 5}
	if got, want := Interval(f), "[980 IOPS, 1.01k IOPS]"; got != want {
		t.Errorf("Interval = %q, want %q", got, want)
	}
	if got, want := Spread(f), "± 2.0 %"; got != want {
		t.Errorf("Spread = %q, want %q", got, want)
	}
	if got, want := Count(f), "n=6 × 5.00 s"; got != want {
		t.Errorf("Count = %q, want %q", got, want)
	}
	if got := Interval(Figure{Metric: "storage.read.iops", Value: 1, N: 1}); got != "" {
		t.Errorf("a single repeat has no interval, got %q", got)
	}
	if got, want := Bytes(512<<20), "512 MiB"; got != want {
		t.Errorf("Bytes = %q, want %q", got, want)
	}
}
