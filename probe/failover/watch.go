package failover

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"assay"
	"assay/internal/oneline"
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
}

// begin starts the command. says reads from a piece of what it prints whether that is well;
// known is false where it says nothing of that.
func begin(ctx context.Context, at assay.Place, step string, c assay.Cmd, says func(piece []byte) (well, known bool)) *watch {
	w := &watch{host: at.Host().Name, over: make(chan struct{})}
	c.OnStdout = func(piece []byte) bool { return w.hear(says(piece)) }
	ctx, w.cancel = context.WithCancel(ctx)
	go func() {
		defer close(w.over)
		var out assay.Output
		out, w.err = at.Run(ctx, c)
		w.step = assay.Step{Name: step + w.host, Argv: c.Argv, Output: out}
	}()
	return w
}

func (w *watch) hear(well, known bool) (enough bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	switch {
	case known && well:
		if now.Sub(w.last) > pause {
			w.since = now
		}
		w.last = now
	case known:
		w.last = time.Time{}
	}
	return w.enough
}

// well reports whether it has been well for a while and is so now.
func (w *watch) well() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Since(w.last) <= pause && w.last.Sub(w.since) >= steady
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
func isAnswer(piece []byte) (well, known bool) {
	is := bytes.Contains(piece, []byte(" ok\n"))
	return is, is
}

// isWhole reads what tells whether redundancy is whole: the last line counts.
func isWhole(piece []byte) (well, known bool) {
	piece = bytes.TrimRight(piece, "\n")
	return bytes.HasSuffix(piece, []byte(" 0")), bytes.HasSuffix(piece, []byte(" 0")) || bytes.HasSuffix(piece, []byte(" 1"))
}
