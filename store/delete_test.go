package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay"
)

func TestDeleteTakesOneRunAndNothingElse(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		must(t, keep(ctx, s, small("gone", time.Unix(1, 0))))
		must(t, keep(ctx, s, small("left", time.Unix(2, 0))))
		must(t, s.Journal(ctx, assay.Receipt{ID: "lent"}, Owner{Run: "gone"}))
		must(t, s.Claim(ctx, "alpha", Owner{Run: "gone"}, Alive))
		// The owning process is alive but done: that does not prevent deletion.
		others := everything(t, s, "left")
		must(t, s.Delete(ctx, "gone"))
		if left := everything(t, s, "gone"); len(left) > 0 {
			t.Errorf("left of the run: %v", left)
		}
		if diff := cmp.Diff(others, everything(t, s, "left")); diff != "" {
			t.Errorf("another run: %s", diff)
		}
		if rowsOf(t, s, "journal") != 1 || rowsOf(t, s, "claim") != 1 {
			t.Error("deleting a run has released something")
		}
		must(t, s.Pin(ctx, "left", "mine"))
		for id, want := range map[string]error{"gone": assay.ErrNotFound, "left": ErrPinned} {
			if err := s.Delete(ctx, id); !errors.Is(err, want) || assay.Hint(err) == "" {
				t.Errorf("delete %s: %v, want %v with a hint", id, err, want)
			}
		}
		if diff := cmp.Diff(others, everything(t, s, "left")); diff != "" {
			t.Errorf("a pinned run: %s", diff)
		}
		// Not even bypassing Delete.
		if _, err := s.writer.Exec(`DELETE FROM run`); err == nil {
			t.Error("the schema lets a pinned run go")
		}
	})
}

func TestDeleteAndCompactLeaveTheRunningAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	s, ctx := reopen(t, path), context.Background()
	c := child(t, "write", path, "r", "1000000")
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the writer wrote nothing")
	}
	if err := s.Delete(ctx, "r"); !errors.Is(err, assay.ErrBusy) || assay.Hint(err) == "" {
		t.Errorf("a run that goes on was deleted: %v", err)
	}
	if _, err := s.Compact(ctx); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("compacted while a run goes on: %v", err)
	}
	must(t, c.Process.Kill())
	for lines.Scan() { // drain what it printed before it died
	}
	if err := c.Wait(); err == nil {
		t.Fatal("the writer ended before it was killed")
	}
	must(t, s.Delete(ctx, "r")) // the store says running; its process is dead
	if _, err := s.Compact(ctx); err != nil {
		t.Error(err)
	}
}

// Size predicts roughly what Compact frees, and the file really shrinks by that
// much; the rest is unchanged.
func TestCompactGivesBackWhatWasSaid(t *testing.T) {
	s, ctx := fresh(t), context.Background()
	for i := range 4 {
		run := small(fmt.Sprintf("r%d", i), time.Unix(int64(i), 0))
		run.Results[0].Repeats = nil
		for n := range 12 {
			run.Results[0].Repeats = append(run.Results[0].Repeats, measured(n, 10, 200))
		}
		must(t, keep(ctx, s, run))
	}
	want := everything(t, s, "r3")
	if n, err := s.Size(ctx, "none"); n != 0 || err != nil {
		t.Errorf("no run has %d bytes, %v", n, err)
	}
	var said int64
	for _, id := range []string{"r0", "r1", "r2"} {
		n, err := s.Size(ctx, id)
		must(t, err)
		said += n
		must(t, s.Delete(ctx, id))
	}
	_, err := s.writer.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	must(t, err)
	before, err := os.Stat(s.dialect.name())
	must(t, err)
	freed, err := s.Compact(ctx)
	must(t, err)
	after, err := os.Stat(s.dialect.name())
	must(t, err)
	if freed != before.Size()-after.Size() || freed <= 0 {
		t.Errorf("%d bytes freed, and the file went from %d to %d", freed, before.Size(), after.Size())
	}
	if share := float64(said) / float64(freed); share < .7 || share > 1.3 {
		t.Errorf("%d bytes were announced, %d freed", said, freed)
	}
	if diff := cmp.Diff(want, everything(t, s, "r3")); diff != "" {
		t.Error(diff)
	}
	if freed, err := s.Compact(ctx); err != nil || freed != 0 {
		t.Errorf("nothing to free: %d, %v", freed, err)
	}
}
