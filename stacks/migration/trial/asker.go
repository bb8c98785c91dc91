package trial

import (
	"bytes"
	"context"
	"sync/atomic"
	"time"

	"assay"
)

// How long the guest is asked beside its move.
const (
	settling = 3 * time.Second // that it must answer within, before it is moved
	before   = 2 * time.Second // that it is asked for before it is moved
	after    = 2 * time.Second // and when it has been
)

// asker is a command that asks the guest again and again while it is moved.
type asker struct {
	step    assay.Step
	err     error
	answers chan struct{} // closed at the first answer
	enough  atomic.Bool
	over    chan struct{}
	stop    context.CancelFunc
}

// begin starts to ask from a host. answered is what stands in what is printed once there is
// an answer.
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

// answer reports whether there is an answer in time. Where there is none nobody asks any more.
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

// end has it ended, and returns how that went.
func (a *asker) end() error {
	a.enough.Store(true)
	<-a.over
	return a.err
}
