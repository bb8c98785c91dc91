package report

import (
	"testing"

	"assay"
)

// Windows reports only the highest clock.
func TestClockRange(t *testing.T) {
	for want, c := range map[string]assay.CPUFacts{"": {}, "2.90 GHz": {MaxHz: 2.9e9}, "800 MHz to 4.70 GHz": {MinHz: 8e8, MaxHz: 4.7e9}} {
		if got := clockRange(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
