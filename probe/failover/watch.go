package failover

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"assay"
	"assay/internal/oneline"
	"assay/stacks/failover"
	"assay/stats"
)

// What steady means.
const (
	steady = 2 * time.Second        // how long it must have been well
	fewest = 5                      // least number of good reports
	pause  = 500 * time.Millisecond // longest silence that does not end it
	pauses = 3                      // likewise, in usual intervals
	usual  = 50                     // the first intervals, which show what is usual
)

// watch is a command that reports again and again whether something is well, until told to
// end.
type watch struct {
	host   string
	step   assay.Step
	err    error
	over   chan struct{}
	cancel context.CancelFunc

	mu          sync.Mutex
	enough      bool
	since, last time.Time // well since then, and last seen well
	times       int       // good reports since then
	between     []float64 // s between reports: the first few, sorted
}

// begin starts the command. says returns how often a piece of its output reports that it is
// well; known is false if the piece says nothing about that.
func begin(ctx context.Context, at assay.Place, step string, c assay.Cmd, says func(piece []byte) (well int, known bool)) *watch {
	w := &watch{host: at.Host().Name, over: make(chan struct{})}
	c.OnStdout = func(piece []byte) bool {
		well, known := says(piece)
		return w.hear(time.Now(), well, known)
	}
	ctx, w.cancel = context.WithCancel(ctx)
	go func() {
		defer close(w.over)
		var out assay.Output
		out, w.err = at.Run(ctx, c)
		w.step = assay.Step{Name: step + w.host, Argv: c.Argv, Output: out}
	}()
	return w
}

func (w *watch) hear(now time.Time, well int, known bool) (enough bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case known && well > 0:
		if !w.last.IsZero() && len(w.between) < usual {
			gone := now.Sub(w.last).Seconds()
			at, _ := slices.BinarySearch(w.between, gone)
			w.between = slices.Insert(w.between, at, gone)
		}
		if now.Sub(w.last) > w.longestPause() {
			w.since, w.times = now, 0
		}
		w.last = now
		w.times += well
	case known:
		w.last = time.Time{}
	}
	return w.enough
}

// longestPause returns how long it may be silent and still count as well.
func (w *watch) longestPause() time.Duration {
	if len(w.between) == 0 {
		return pause
	}
	return max(pause, time.Duration(pauses*stats.Median(w.between)*float64(time.Second)))
}

// patience is longestPause for callers without the lock.
func (w *watch) patience() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.longestPause()
}

// afresh forgets the past: it counts as well only after being so for a while from
// now on.
func (w *watch) afresh() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = time.Time{}
}

// well reports whether it has been well for a while and is so now.
func (w *watch) well(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return now.Sub(w.last) <= w.longestPause() && w.last.Sub(w.since) >= steady && w.times >= fewest
}

// broke returns why there is nothing more to hear; nil while there is.
func (w *watch) broke() error {
	select {
	case <-w.over:
	default:
		return nil
	}
	switch {
	case errors.Is(w.err, assay.ErrNoCommand) && len(w.step.Argv) > 0:
		return assay.WithHint("install it there (perl is in perl, or perl-base)", "%s: %s: %w", w.host, w.step.Argv[0], w.err)
	case w.err != nil:
		return fmt.Errorf("%s: %w", w.host, w.err)
	}
	return fmt.Errorf("%s: what observes from there ended with status %d: %s", w.host, w.step.Output.Exit, oneline.Brief(w.step.Output.Stderr))
}

// end ends the command, and returns what was printed.
func (w *watch) end() (assay.Step, error) {
	w.mu.Lock()
	w.enough = true
	w.mu.Unlock()
	select {
	case <-w.over:
	case <-time.After(ending):
	}
	w.cancel()
	<-w.over
	if w.err != nil {
		return w.step, fmt.Errorf("%s: %w", w.host, w.err)
	}
	return w.step, nil
}

// isAnswer parses an observer's output.
func isAnswer(piece []byte) (well int, known bool) {
	well = bytes.Count(piece, []byte(" ok\n"))
	return well, well > 0
}

// isWork parses a load's output.
func isWork(piece []byte) (well int, known bool) {
	for _, d := range failover.ReadLoad(piece) {
		well += d.Times
	}
	return well, well > 0
}

// isWhole parses the reports of whether redundancy is whole: the last line
// counts.
func isWhole(piece []byte) (well int, known bool) {
	piece = bytes.TrimRight(piece, "\n")
	if bytes.HasSuffix(piece, []byte(" 0")) {
		return 1, true
	}
	return 0, bytes.HasSuffix(piece, []byte(" 1"))
}
