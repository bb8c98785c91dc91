package run

import (
	"testing"
	"time"
)

func TestClockJump(t *testing.T) {
	from := time.Now()
	to := from.Add(3 * time.Second)
	if jump := clockJump(from, to); jump != 0 {
		t.Errorf("both clocks went on by 3 s, and it says %s", jump)
	}
	// Without a monotonic reading, times are compared by the wall clock, as
	// wallBetween sees a jump of an hour.
	if got := wallBetween(from, to.Add(time.Hour)); got != time.Hour+3*time.Second {
		t.Errorf("wallBetween = %s", got)
	}
}
