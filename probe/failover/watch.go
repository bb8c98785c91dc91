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

// What steady is.
const (
	steady = 2 * time.Second        // for which it must have been well
	fewest = 5                      // and been said to be, as often
	pause  = 500 * time.Millisecond // without that being said, which ends it
	pauses = 3                      // likewise, in times that usually go by
	usual  = 50                     // times, the first, that show what usually goes by
)

// watch is a command that says again and again whether something is well, until it is told to
// end.
type watch struct {
	host   string
	step   assay.Step
	err    error
	over   chan struct{}
	cancel context.CancelFunc

	mu          sync.Mutex
	enough      bool
	since, last time.Time // it has been well since then, and was so last
	times       int       // that it was said to be, since then
	between     []float64 // s from one to the next: the first few, sorted
}

// begin starts the command. says reads from a piece of what it prints how often that says that
// it is well; known is false where it says nothing of that.
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

// longestPause is how long nothing may be said while it is well.
func (w *watch) longestPause() time.Duration {
	if len(w.between) == 0 {
		return pause
	}
	return max(pause, time.Duration(pauses*stats.Median(w.between)*float64(time.Second)))
}

// patience is longestPause for others.
func (w *watch) patience() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.longestPause()
}

// afresh forgets how it was: it is well when it has been so for a while from now on.
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

// broke is why there is nothing more to hear; nil while there is.
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

// end has it ended, and returns what was printed.
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

// isAnswer reads what an observer prints.
func isAnswer(piece []byte) (well int, known bool) {
	well = bytes.Count(piece, []byte(" ok\n"))
	return well, well > 0
}

// isWork reads what a load prints.
func isWork(piece []byte) (well int, known bool) {
	for _, d := range failover.ReadLoad(piece) {
		well += d.Times
	}
	return well, well > 0
}

// isWhole reads what tells whether redundancy is whole: the last line counts.
func isWhole(piece []byte) (well int, known bool) {
	piece = bytes.TrimRight(piece, "\n")
	if bytes.HasSuffix(piece, []byte(" 0")) {
		return 1, true
	}
	return 0, bytes.HasSuffix(piece, []byte(" 1"))
}
