package failover

import (
	"slices"
	"testing"
	"time"
)

// A wait is announced after a short while and then periodically, with the time left.
func TestWaitsAreSaid(t *testing.T) {
	var said []string
	begin := time.Date(2026, 11, 26, 6, 0, 0, 0, time.UTC)
	w := waitingSince(begin, "waiting for redundancy", 5*time.Minute, func(text string) { said = append(said, text) })
	last := w.last
	for s := range 310 {
		if s == 70 { // the time budget ends sooner
			last = begin.Add(100 * time.Second)
		}
		w.tell(begin.Add(time.Duration(s)*time.Second), last)
	}
	want := []string{
		"waiting for redundancy, 4m54s more at most", "waiting for redundancy, 4m23s more at most", "waiting for redundancy, 3m52s more at most",
		"waiting for redundancy, 1s more at most",
	}
	if !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
}

// A wait ends even if nobody listens.
func TestWaitsEnd(t *testing.T) {
	if w := (scene{}).waiting("nothing", time.Hour); w.over(t.Context()) {
		t.Error("it is over at once")
	}
	if w := waitingSince(time.Now().Add(-time.Hour), "", time.Minute, nil); !w.over(t.Context()) {
		t.Error("it is not over")
	}
}
