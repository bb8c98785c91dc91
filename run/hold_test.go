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
	release, err := hold(ctx, here, dir, "run 1 of ann@desk", 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = hold(ctx, here, dir, "run 2 of bob@sofa", 0)
	if !errors.Is(err, assay.ErrBusy) || !strings.Contains(err.Error(), "host box: already in use by run 1 of ann@desk") {
		t.Errorf("a second hold gave %v", err)
	}
	release()
	release()
	again, err := hold(ctx, here, dir, "run 3 of bob@sofa", 0)
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
	release, err := hold(ctx, at, dir, "run lost", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	at.lose <- struct{}{}
	for at.holds.Load() < 2 && ctx.Err() == nil {
		runtime.Gosched()
	}
	// The first is dead, so that whoever has it by that name is the second.
	look := assay.Cmd{Argv: []string{"sh", "-c", `cat /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n'`}}
	for ctx.Err() == nil {
		if out, err := at.Place.Run(ctx, look); err == nil && strings.Contains(string(out.Stdout), "ASSAY_HOLD=run lost\n") {
			break
		}
	}
	if _, err := hold(ctx, at.Place, dir, "run 2", 0); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("a second hold gave %v", err)
	}
}

// Two names for one machine are two holds of one run: the second is refused, and
// sees by whose words.
func TestARunHoldsAMachineOnce(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	release, err := hold(ctx, local.New("a", ""), dir, "run 1", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for range 5 {
		var taken *TakenError
		if _, err := hold(ctx, local.New("b", ""), dir, "run 1", 0); !errors.As(err, &taken) || taken.By != "run 1" || taken.Host != "b" {
			t.Errorf("%v", err)
		}
	}
}

// What was left over there still has the lock when we are back: it is waited for.
func TestOnesOwnStaleHoldIsWaitedFor(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	dir := t.TempDir()
	stale, err := hold(ctx, local.New("box", ""), dir, "run 1", 0)
	if err != nil {
		t.Fatal(err)
	}
	h := holding{local.New("box", ""), dir, "run 1", "key", make(chan error, 1)}
	h.ended <- assay.ErrHostGone // the connection was lost
	free := make(chan struct{})
	go func() { h.again(ctx, 200*time.Millisecond); close(free) }()
	stale()
	if err := h.await(ctx); err != nil {
		t.Error(err)
	}
	cancel()
	<-free
}

func TestAHostIsNotClaimedForACancelledRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := hold(ctx, local.New("box", ""), t.TempDir(), "run 1", 0); !errors.Is(err, context.Canceled) {
		t.Errorf("gave %v", err)
	}
}
