package turns

import (
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"assay/lab/internal/wait"
)

// quiet runs do in a subtest, which can be skipped and end without its caller.
func quiet(t *testing.T, do func(*testing.T)) (skipped bool) {
	t.Helper()
	t.Run("one", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		do(t)
	})
	return skipped
}

func possible() error { return nil }

func TestWhenATestIsSkipped(t *testing.T) {
	t.Setenv(Quick, "")
	if quiet(t, func(t *testing.T) { Take(t, "lab", possible) }) {
		t.Error("skipped where a lab can be")
	}
	if !quiet(t, func(t *testing.T) { Take(t, "lab", func() error { return errors.New("no root") }) }) {
		t.Error("not skipped where no lab can be")
	}
	t.Setenv(Quick, "1")
	if !quiet(t, func(t *testing.T) { Take(t, "lab", possible) }) {
		t.Error("not skipped in a quick run")
	}
}

// TestOneAtATime acts as another package's tests, which hold the lab first.
func TestOneAtATime(t *testing.T) {
	t.Setenv(Quick, "")
	var other net.Listener
	// Another package may really hold one now, and releases it in time.
	if _, err := wait.Until(t.Context(), time.Millisecond, func() (err error) { other, err = net.Listen("unix", sign()); return err }); err != nil {
		t.Fatal(err)
	}
	var given atomic.Bool
	time.AfterFunc(200*time.Millisecond, func() { given.Store(true); _ = other.Close() })
	t.Run("a test", func(t *testing.T) {
		Take(t, "lab", possible)
		if !given.Load() {
			t.Error("two have the lab")
		}
		t.Run("another of the same package", func(t *testing.T) { Take(t, "lab", possible) })
		if again, err := net.Listen("unix", sign()); err == nil {
			_ = again.Close()
			t.Error("given back while a test has it")
		}
	})
	if turn.tests != 0 {
		t.Errorf("%d tests that have ended have it", turn.tests)
	}
	// Whoever holds it now, it is not this program.
	release, err := await()
	if err != nil {
		t.Fatalf("not given back: %v", err)
	}
	release()
}
