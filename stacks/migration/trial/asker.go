package trial

import (
	"bytes"
	"context"
	"sync/atomic"
	"time"

	"assay"
)

// How long the guest is queried around its move.
const (
	settling = 3 * time.Second // to answer within, before the move
	before   = 2 * time.Second // of queries before the move
	after    = 2 * time.Second // and after it
)

// asker is a command that queries the guest repeatedly while it is moved.
type asker struct {
	step    assay.Step
	err     error
	answers chan struct{} // closed at the first answer
	enough  atomic.Bool
	over    chan struct{}
	stop    context.CancelFunc
}

// begin starts queries from a host. answered is what the output contains once there is an
// answer.
func begin(ctx context.Context, at assay.Place, step string, c assay.Cmd, answered string) *asker {
	a := &asker{answers: make(chan struct{}), over: make(chan struct{})}
	var printed []byte
	seen := false
	c.OnStdout = func(piece []byte) bool {
		if !seen {
			printed = append(printed, piece...)
			if seen = bytes.Contains(printed, []byte(answered)); seen {
				printed = nil
				close(a.answers)
			}
		}
		return a.enough.Load()
	}
	ctx, a.stop = context.WithCancel(ctx)
	go func() {
		defer close(a.over)
		defer a.stop()
		var out assay.Output
		out, a.err = at.Run(ctx, c)
		a.step = assay.Step{Name: step, Argv: c.Argv, Output: out}
	}()
	return a
}

// answer reports whether there is an answer in time. If not, it ends the queries.
func (a *asker) answer() bool {
	bound := time.NewTimer(settling)
	defer bound.Stop()
	select {
	case <-a.answers:
		return true
	case <-a.over:
	case <-bound.C:
		a.stop()
		<-a.over
	}
	return false
}

// end stops it and returns its error.
func (a *asker) end() error {
	a.enough.Store(true)
	<-a.over
	return a.err
}
