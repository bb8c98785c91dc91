package failover

import (
	"context"
	"fmt"
	"time"

	"assay/internal/quantity"
)

// How long a wait stays silent, and then the time between messages.
const (
	quiet = 5 * time.Second
	again = 30 * time.Second
)

// waiting is a wait that is reported, with the most that is left of it.
type waiting struct {
	text       string
	last, next time.Time // its end, and the next message
	say        func(string)
}

func (s scene) waiting(what string, most time.Duration) *waiting {
	return waitingSince(time.Now(), "failover "+s.Name+": waiting for "+what, most, s.say)
}

func waitingSince(now time.Time, text string, most time.Duration, say func(string)) *waiting {
	return &waiting{text: text, last: now.Add(most), next: now.Add(quiet), say: say}
}

// over reports whether the wait has lasted as long as it may.
func (w *waiting) over(ctx context.Context) bool {
	now, last := time.Now(), w.last
	if by, bounded := ctx.Deadline(); bounded && by.Before(last) {
		last = by
	}
	w.tell(now, last)
	return now.After(w.last)
}

// tell reports how long the wait lasts at most, when a message is due.
func (w *waiting) tell(now, last time.Time) {
	if w.say != nil && now.After(w.next) && now.Before(last) {
		w.say(fmt.Sprintf("%s, %s more at most", w.text, quantity.Span(last.Sub(now).Round(time.Second))))
		w.next = now.Add(again)
	}
}
