package virsh

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"assay"
	"assay/internal/lazyregexp"
)

// How often the guest is asked. iputils let only root ask more often than every 200 ms
// before 2021, and every 2 ms since.
const (
	every    = 2 * time.Millisecond
	settling = 3 * time.Second // that it must answer within, before it is moved
	after    = 2 * time.Second // that it is asked for when it has been moved
	longest  = 4 * time.Hour   // that it is asked at all
)

// pinger asks the guest while it is moved.
type pinger struct {
	step    assay.Step
	err     error
	answers chan struct{} // closed at the first answer
	enough  atomic.Bool
	over    chan struct{}
}

// ping begins to ask, from a host, and returns when the guest answers.
func ping(ctx context.Context, at assay.Place, address string) (*pinger, error) {
	p := &pinger{answers: make(chan struct{}), over: make(chan struct{})}
	seen := false
	c := assay.Cmd{
		// -O prints a line for each question without an answer, so that there is always one.
		Argv: []string{"ping", "-n", "-D", "-O", "-i", strconv.FormatFloat(every.Seconds(), 'f', -1, 64),
			"-w", strconv.Itoa(int(longest.Seconds())), address},
		Env: []string{"LC_ALL=C"}, Timeout: longest + time.Minute, Limit: assay.LongOutputLimit,
		OnStdout: func(piece []byte) bool {
			if !seen && answered.Match(piece) {
				seen = true
				close(p.answers)
			}
			return p.enough.Load()
		},
	}
	ctx, stop := context.WithCancel(ctx)
	go func() {
		defer close(p.over)
		defer stop()
		var out assay.Output
		out, p.err = at.Run(ctx, c)
		p.step = assay.Step{Name: stepPing, Argv: c.Argv, Output: out}
	}()
	bound := time.NewTimer(settling)
	defer bound.Stop()
	select {
	case <-p.answers:
		return p, nil
	case <-p.over:
	case <-bound.C:
		stop()
		<-p.over
	}
	if errors.Is(p.err, assay.ErrNoCommand) {
		return p, assay.WithHint("install iputils-ping there, or leave out the guest's address under migrate:", "%s: %w", at.Host().Name, p.err)
	}
	said := ""
	if text := string(p.step.Output.Stderr); text != "" {
		said = fmt.Sprintf(": %.200q", text)
	}
	return p, assay.WithHint("see that address: under migrate: is the guest's, and that the guest answers ICMP echo requests",
		"%s: %s does not answer to a ping within %s%s", at.Host().Name, address, settling, said)
}

// end has it asked for a little while longer, and returns what was printed.
func (p *pinger) end(ctx context.Context) error {
	select {
	case <-time.After(after):
	case <-ctx.Done():
	}
	p.enough.Store(true)
	<-p.over
	return p.err
}

var answered = lazyregexp.New(`bytes from `)

var (
	lineAnswer = lazyregexp.New(`^\[(\d{1,12}\.\d{1,9})\] \d+ bytes from \S+ icmp_seq=\d{1,9} `)
	lineTotals = lazyregexp.New(`^(\d{1,12}) packets transmitted, (\d{1,12}) received`)
)
