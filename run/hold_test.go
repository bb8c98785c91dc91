package run

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay"
	"assay/place/local"
)

func TestOneRunHoldsAHost(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	here := local.New("box", "")
	release, _, err := hold(ctx, here, dir, "run 1 of ann@desk", 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = hold(ctx, here, dir, "run 2 of bob@sofa", 0)
	if !errors.Is(err, assay.ErrBusy) || !strings.Contains(err.Error(), "host box: already in use by run 1 of ann@desk") {
		t.Errorf("a second hold gave %v", err)
	}
	release()
	release()
	again, _, err := hold(ctx, here, dir, "run 3 of bob@sofa", 0)
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	again()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// visitor is a user who owns nothing here.
type visitor struct{ assay.Place }

func (v visitor) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	c.Argv = append([]string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}, c.Argv...)
	return v.Place.Run(ctx, c)
}

// Any user can lock a directory that all can read. That does not keep out root's
// runs, which only report it; root's lock keeps out other users and other runs of
// root.
func TestOtherUsersKeepRootOffNothing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	ctx, dir, here := context.Background(), t.TempDir(), local.New("box", "")
	bob := visitor{here}
	if _, err := bob.Run(ctx, assay.Cmd{Argv: []string{"true"}}); err != nil {
		t.Skipf("needs setpriv: %v", err)
	}
	// Others must find it, like /run.
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	theirs, beside, err := hold(ctx, bob, dir, "run 1 of bob@sofa", 0)
	if err != nil || beside != "" {
		t.Fatalf("%q, %v", beside, err)
	}
	release, beside, err := hold(ctx, here, dir, "run 2 of root@desk", 0)
	if err != nil || beside != "run 1 of bob@sofa" {
		t.Fatalf("root was kept off, or not told: %q, %v", beside, err)
	}
	if _, _, err := hold(ctx, here, dir, "run 3 of root@sofa", 0); !errors.Is(err, assay.ErrBusy) || !strings.Contains(err.Error(), "by run 2 of root@desk") {
		t.Errorf("beside another of root's: %v", err)
	}
	theirs()
	release()
	if release, beside, err = hold(ctx, here, dir, "run 4 of root@desk", 0); err != nil || beside != "" {
		t.Fatalf("%q, %v", beside, err)
	}
	if _, _, err := hold(ctx, bob, dir, "run 5 of bob@sofa", 0); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("another user's beside root's: %v", err)
	}
	release()
}

// Releasing the lock removes it: of many that want it at once, one gets it.
func TestALockThatIsRemovedIsNotHeldTwice(t *testing.T) {
	ctx, dir, here := context.Background(), t.TempDir(), local.New("box", "")
	var all sync.WaitGroup
	var inside, most atomic.Int32
	for range 4 {
		all.Go(func() {
			for won := 0; won < 3; {
				release, _, err := hold(ctx, here, dir, "a run", 0)
				if errors.Is(err, assay.ErrBusy) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n > 1 {
					most.Store(n)
				}
				won++
				inside.Add(-1)
				release()
			}
		})
	}
	all.Wait()
	if most.Load() > 1 {
		t.Errorf("%d had it at once", most.Load())
	}
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
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	dir, at := t.TempDir(), flaky{local.New("box", ""), make(chan struct{}), new(atomic.Int32)}
	release, _, err := hold(ctx, at, dir, "run lost", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	at.lose <- struct{}{}
	for at.holds.Load() < 2 && ctx.Err() == nil {
		runtime.Gosched()
	}
	// The first is dead, so the one that holds it under that name is the
	// second.
	look := assay.Cmd{Argv: []string{"sh", "-c", `cat /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n'`}}
	for ctx.Err() == nil {
		if out, err := at.Place.Run(ctx, look); err == nil && strings.Contains(string(out.Stdout), "ASSAY_HOLD=run lost\n") {
			break
		}
	}
	if _, _, err := hold(ctx, at.Place, dir, "run 2", 0); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("a second hold gave %v", err)
	}
}

// Two names for one machine are two holds of one run: the second is refused, and
// learns the holder.
func TestARunHoldsAMachineOnce(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	release, _, err := hold(ctx, local.New("a", ""), dir, "run 1", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for range 5 {
		var taken *TakenError
		if _, _, err := hold(ctx, local.New("b", ""), dir, "run 1", 0); !errors.As(err, &taken) || taken.By != "run 1" || taken.Host != "b" {
			t.Errorf("%v", err)
		}
	}
}

// After reconnecting, a leftover of this run still has the lock: it is waited
// for.
func TestOnesOwnStaleHoldIsWaitedFor(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	dir := t.TempDir()
	stale, _, err := hold(ctx, local.New("box", ""), dir, "run 1", 0)
	if err != nil {
		t.Fatal(err)
	}
	h := holding{local.New("box", ""), dir, "run 1", "key", make(chan error, 1)}
	h.ended <- assay.ErrHostGone // the connection was lost
	free := make(chan struct{})
	go func() { h.again(ctx, 200*time.Millisecond); close(free) }()
	stale()
	if _, err := h.await(ctx); err != nil {
		t.Error(err)
	}
	cancel()
	<-free
}

// Tidying up removes root's lock, and holds it for a moment: that is no other run.
func TestWhoTidiesIsInNobodysWay(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has a lock that is removed")
	}
	ctx, cancel := context.WithCancel(context.Background())
	dir, at := t.TempDir(), local.New("box", "")
	tidied := make(chan struct{})
	go func() {
		defer close(tidied)
		for ctx.Err() == nil {
			tidy(ctx, at, dir)
		}
	}()
	for i := range 6 {
		release, _, err := hold(ctx, at, dir, "run", 0)
		if err != nil {
			t.Fatalf("hold %d: %v", i, err)
		}
		if _, _, err := hold(ctx, at, dir, "another", 0); !errors.Is(err, assay.ErrBusy) {
			t.Fatalf("hold %d is no hold: %v", i, err)
		}
		release()
	}
	cancel()
	<-tidied
}

// A run that is cut off from a host tidies nothing there: the holder removes the lock
// when it ends, however that happens.
func TestALockGoesWithItsHolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has a lock that is removed")
	}
	for _, signal := range []string{"TERM", "KILL"} {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		dir, at := t.TempDir(), local.New("box", "")
		h := holding{at, dir, "run", "key-" + signal, make(chan error, 1)}
		go h.keep(ctx)
		if _, err := h.await(ctx); err != nil {
			t.Fatal(err)
		}
		end := `kill -s "$1" $(grep -lsx -z "ASSAY_HOLD=run" /proc/[0-9]*/environ | sed 's,[^0-9],,g')`
		if out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", end, "sh", signal}}); err != nil || out.Exit != 0 {
			t.Fatalf("%v: %s", err, out.Stderr)
		}
		<-h.ended
		left, err := os.ReadDir(dir)
		for ctx.Err() == nil && len(left) > 0 {
			left, err = os.ReadDir(dir)
		}
		if err != nil || len(left) > 0 {
			t.Errorf("after SIG%s: left %v, %v", signal, left, err)
		}
	}
}

func TestAHostIsNotClaimedForACancelledRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := hold(ctx, local.New("box", ""), t.TempDir(), "run 1", 0); !errors.Is(err, context.Canceled) {
		t.Errorf("gave %v", err)
	}
}

// shelled is a host with a different sh.
type shelled struct {
	assay.Place
	shell []string
}

func (s shelled) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if c.Argv[0] == "sh" {
		c.Argv = append(slices.Clone(s.shell), c.Argv[1:]...)
	}
	return s.Place.Run(ctx, c)
}

// With any sh, the lock is taken, outlives the shell in the sleep, is released,
// and keeps others out, as root or not.
func TestEveryShellHolds(t *testing.T) {
	for _, shell := range [][]string{{"dash"}, {"bash", "--posix"}, {"busybox", "sh"}, {"mksh"}} {
		if _, err := exec.LookPath(shell[0]); err != nil {
			t.Logf("without %s", shell[0])
			continue
		}
		for _, user := range []string{"myself", "a visitor"} {
			t.Run(shell[0]+" as "+user, func(t *testing.T) {
				ctx, dir := t.Context(), t.TempDir()
				for at := dir; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
					if err := os.Chmod(at, 0o755); err != nil {
						t.Fatal(err)
					}
				}
				var here assay.Place = local.New("box", "")
				if user != "myself" {
					here = visitor{here}
					if out, err := here.Run(ctx, assay.Cmd{Argv: []string{"true"}}); os.Geteuid() != 0 || err != nil || out.Exit != 0 {
						t.Skip("needs root and setpriv")
					}
				}
				at := shelled{here, shell}
				release, beside, err := hold(ctx, at, dir, "run 1", 0)
				if err != nil || beside != "" {
					t.Fatalf("%q, %v", beside, err)
				}
				var taken *TakenError
				if _, _, err := hold(ctx, at, dir, "run 2", 0); !errors.As(err, &taken) || taken.By != "run 1" {
					t.Errorf("a second hold gave %v", err)
				}
				release()
				if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
					t.Errorf("left %v, %v", left, err)
				}
				again, _, err := hold(ctx, at, dir, "run 3", 0)
				if err != nil {
					t.Fatalf("after the release: %v", err)
				}
				again()
			})
		}
	}
}

// The holder's name is reported even if processes without a name have its lock open too: the
// one that removes root's lock does, and its number may come first.
func TestTheNameOfAHolderComesBeforeNumbers(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "assay-lock"), 0o700); err != nil {
		t.Fatal(err)
	}
	before := exec.CommandContext(ctx, "sh", "-c", `exec 8<"$1/assay-lock" 9<"$1"; echo open; exec sleep 600 8<&8 9<&9`, "sh", dir)
	out, err := before.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := before.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = before.Process.Kill(); _ = before.Wait() }()
	if _, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	at := local.New("box", "")
	release, _, err := hold(ctx, at, dir, "run 1", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	var taken *TakenError
	if _, _, err := hold(ctx, at, dir, "run 2", 0); !errors.As(err, &taken) || taken.By != "run 1" {
		t.Errorf("a second hold gave %v", err)
	}
}

// A host's description of its holder is one short line without raw characters.
func TestWhoHasAHostIsPrintable(t *testing.T) {
	for words, want := range map[string]string{
		"":                                     "another run",
		"run 1 \x1b[31m\u202eof ann\nassay: x": "run 1 [31mof ann",
		strings.Repeat("x", 1<<20):             strings.Repeat("x", 300) + "…",
	} {
		if got := holder(words); got != want {
			t.Errorf("%.60q: %.60q", words, got)
		}
	}
}
