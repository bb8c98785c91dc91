package marked_test

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"assay/lab/internal/home"
	"assay/lab/internal/marked"
	"assay/lab/internal/wait"
)

func TestAFamilyIsFoundAndEnded(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	f := marked.Family{Lab: "TEST_LAB", Name: "TEST_NAME", ID: home.NewID(8)}
	other := f
	other.ID = home.NewID(8)
	pids := map[string]int{}
	start := func(f marked.Family, name string) {
		c := exec.Command("sleep", "1000")
		c.Env = f.Mark(name)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		pids[name] = c.Process.Pid
		go func() { _ = c.Wait() }()
		t.Cleanup(func() { _ = c.Process.Kill() })
	}
	start(f, "one")
	start(f, "two")
	start(other, "foreign")
	if found := f.Alive(); len(found) != 2 || found["one"] != pids["one"] || found["two"] != pids["two"] {
		t.Errorf("found %v of %v", found, pids)
	}
	// None of them is the first process of a namespace.
	firsts := f
	firsts.Firsts = true
	if found := firsts.Alive(); len(found) != 0 {
		t.Errorf("%v are no first processes", found)
	}
	if err := f.End(ctx, "one"); err != nil {
		t.Fatal(err)
	}
	if found := f.Alive(); len(found) != 1 || found["two"] == 0 {
		t.Errorf("of two the second is left, not %v", found)
	}
	if err := f.End(ctx); err != nil || len(f.Alive()) != 0 {
		t.Errorf("%v, left: %v", err, f.Alive())
	}
	if other.Alive()["foreign"] != pids["foreign"] {
		t.Error("a process of another family was ended")
	}
}

func TestWaitingEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	last, err := wait.Until(ctx, time.Millisecond, func() error { return os.ErrNotExist })
	if last != os.ErrNotExist || err != context.DeadlineExceeded {
		t.Errorf("%v, %v", last, err)
	}
	looks := 0
	last, err = wait.Until(t.Context(), time.Millisecond, func() error {
		if looks++; looks < 3 {
			return os.ErrNotExist
		}
		return nil
	})
	if last != nil || err != nil || looks != 3 {
		t.Errorf("%v, %v after %d looks", last, err, looks)
	}
}
