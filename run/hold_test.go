package run

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay"
	"assay/place/local"
)

func TestOneRunHoldsAHost(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	here := local.New("box", "")
	release, err := hold(ctx, here, dir, "run 1 of ann@desk")
	if err != nil {
		t.Fatal(err)
	}
	_, err = hold(ctx, here, dir, "run 2 of bob@sofa")
	if !errors.Is(err, assay.ErrBusy) || !strings.Contains(err.Error(), "host box: already in use by run 1 of ann@desk") {
		t.Errorf("a second hold gave %v", err)
	}
	release()
	release()
	again, err := hold(ctx, here, dir, "run 3 of bob@sofa")
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	again()
}

// flaky is a host whose connection can be lost while it is held.
type flaky struct {
	assay.Place
	lose  chan struct{}
	holds *atomic.Int32
}

func (f flaky) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if !slices.Contains(c.Argv, holdScript) {
		return f.Place.Run(ctx, c)
	}
	f.holds.Add(1)
	connected, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-f.lose:
			cancel(assay.ErrHostGone)
		case <-connected.Done():
		}
	}()
	out, err := f.Place.Run(connected, c)
	if err != nil {
		err = context.Cause(connected)
	}
	return out, err
}

func TestALostHoldIsTakenAgain(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	dir, at := t.TempDir(), flaky{local.New("box", ""), make(chan struct{}), new(atomic.Int32)}
	release, err := hold(ctx, at, dir, "run lost")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	at.lose <- struct{}{}
	for at.holds.Load() < 2 && ctx.Err() == nil {
		runtime.Gosched()
	}
	if err := awaitHold(ctx, at, "run lost", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := hold(ctx, at.Place, dir, "run 2"); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("a second hold gave %v", err)
	}
}

func TestAHostIsNotClaimedForACancelledRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := hold(ctx, local.New("box", ""), t.TempDir(), "run 1"); !errors.Is(err, context.Canceled) {
		t.Errorf("gave %v", err)
	}
}
