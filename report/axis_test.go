package report

import "testing"

// A moment just before the stop is at zero, without a sign.
func TestMomentsOnAnAxis(t *testing.T) {
	for s, want := range map[float64]string{-0.0004: "0.000 s", 0: "0.000 s", -0.0006: "−0.001 s", 3.0784: "3.078 s"} {
		if got := onAxis(s); got != want {
			t.Errorf("%v is %q, want %q", s, got, want)
		}
	}
}
