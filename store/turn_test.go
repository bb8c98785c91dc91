package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
)

func take(ctx context.Context, s *Store, run assay.Run) error {
	return s.Take(ctx, func(to Taker) error { return to.Head(run) })
}

func TestAnImportedRunIsNeverTheLatest(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx, now := at.fresh(t), context.Background(), time.Now().UTC()
		must(t, take(ctx, s, small("theirs", now)))
		if id, err := s.Resolve(ctx, "latest"); !errors.Is(err, assay.ErrNotFound) || assay.Hint(err) != "name one: theirs" {
			t.Errorf("with none of the user's: %q, %v (hint %q)", id, err, assay.Hint(err))
		}
		must(t, keep(ctx, s, small("mine", now.Add(-48*time.Hour))))
		// A database that runs were merged into before imports were marked.
		must(t, keep(ctx, s, small("later", now.Add(time.Hour))))
		_, err := s.writer.Exec(`UPDATE run SET started = '9999-01-01T00:00:00.000000000Z' WHERE id = 'later'`)
		must(t, err)
		for _, name := range []string{"", "latest"} {
			if id, err := s.Resolve(ctx, name); id != "mine" || err != nil {
				t.Errorf("%q is %q, %v", name, id, err)
			}
		}
		runs, err := s.Runs(ctx)
		must(t, err)
		for _, r := range runs {
			if r.Imported != (r.ID == "theirs") || r.InTurn(now) != (r.ID == "mine") {
				t.Errorf("%s: imported %v, in turn %v", r.ID, r.Imported, r.InTurn(now))
			}
		}
		for id, marked := range map[string]bool{"theirs": true, "mine": false} {
			run, err := s.Find(ctx, id)
			must(t, err)
			if got := slices.ContainsFunc(run.Notes, func(n assay.Note) bool { return n.ID == "imported" }); got != marked {
				t.Errorf("%s has the notes %v", id, run.Notes)
			}
		}
	})
}

func TestARunOfTheFutureIsNotTaken(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx, now := at.fresh(t), context.Background(), time.Now()
		err := take(ctx, s, small("a", now.Add(25*time.Hour)))
		if err == nil || !strings.Contains(err.Error(), "in the future") || assay.Hint(err) == "" {
			t.Errorf("25 h ahead: %v", err)
		}
		must(t, take(ctx, s, small("b", now.Add(23*time.Hour))))
	})
}

func TestIDsThatShadow(t *testing.T) {
	s, ctx := fresh(t), context.Background()
	must(t, keep(ctx, s, small("20261121-200512-abcdef", time.Unix(1, 0))))
	must(t, s.Pin(ctx, "20261121-200512-abcdef", "base"))
	for id, want := range map[string]bool{
		"base": true, "bas": true, "base-2": true, "20261121": true, "2": true,
		"20261121-200512-abcdef": false, "20261121-200512-abcdef0": false, "other": false,
	} {
		if got, err := s.Shadows(ctx, id); got != want || err != nil {
			t.Errorf("%s: %v, %v", id, got, err)
		}
	}
}
