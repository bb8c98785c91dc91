package run_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"assay"
)

// looked records which looks at a host have a deadline.
type looked struct {
	assay.Place
	mu    sync.Mutex
	looks []bool
}

func (l *looked) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if len(c.Argv) > 3 && (c.Argv[3] == "once" || c.Argv[3] == "loop") {
		_, limited := ctx.Deadline()
		l.mu.Lock()
		l.looks = append(l.looks, limited)
		l.mu.Unlock()
	}
	return l.Place.Run(ctx, c)
}

// Looks at a host before and after a repeat don't take the repeat's own time: through a
// guest's agent on a busy hypervisor they take long.
func TestLooksDoNotCountAgainstARepeatsLimit(t *testing.T) {
	b := newBench(t)
	b.cases, b.suite.Repeats = 1, 3
	here := &looked{}
	b.place = func(at assay.Place) assay.Place { here.Place = at; return here }
	b.probe.behave = func(ctx context.Context, _ int, _ assay.Bench) error {
		if _, limited := ctx.Deadline(); !limited {
			return errors.New("nothing limits the probe")
		}
		return nil
	}
	got, st, err := b.carry(context.Background(), t)
	if err != nil || got.Status != assay.RunDone {
		t.Fatalf("%s, %v, %v", got.Status, err, got.Notes)
	}
	for i, limited := range here.looks {
		if limited {
			t.Errorf("look %d of %d counts against the limit of the repeat", i+1, len(here.looks))
		}
	}
	if len(here.looks) < 3*2 {
		t.Errorf("%d looks in 3 repeats", len(here.looks))
	}
	b.expectClean(t, st)
}

// A probe that waits for something other than its commands is ended, and the error says after
// how long.
func TestAProbeThatWaitsForeverIsEnded(t *testing.T) {
	b := newBench(t)
	b.cases = 1
	b.probe.bound = time.Second
	b.probe.behave = func(ctx context.Context, n int, _ assay.Bench) error {
		if n > 1 {
			return nil
		}
		<-ctx.Done()
		return ctx.Err()
	}
	got, st, err := b.carry(context.Background(), t)
	if err != nil {
		t.Fatal(err)
	}
	if said := got.Results[0].Repeats[0].Error; !strings.Contains(said, "exceeded its time limit of 1") {
		t.Errorf("%q", said)
	}
	b.expectClean(t, st)
}
