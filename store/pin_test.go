package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay"
)

func TestPinnedRunsHaveNames(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		must(t, keep(ctx, s, small("20250301-aa", time.Unix(1, 0))))
		must(t, keep(ctx, s, small("20250302-bb", time.Unix(2, 0))))
		must(t, s.Pin(ctx, "20250301-aa", "before"))
		must(t, s.Pin(ctx, "20250301-aa", "alpha.1"))
		must(t, s.Pin(ctx, "20250301-aa", "before")) // again
		for name, want := range map[string]string{"before": "20250301-aa", "alpha.1": "20250301-aa", "latest": "20250302-bb", "20250302": "20250302-bb"} {
			if got, err := s.Resolve(ctx, name); err != nil || got != want {
				t.Errorf("Resolve(%q) = %q, %v", name, got, err)
			}
		}
		if _, err := s.Resolve(ctx, "befor"); !errors.Is(err, assay.ErrNotFound) || assay.Hint(err) != "the nearest: before, 20250302-bb, 20250301-aa, alpha.1" {
			t.Errorf("a name cut short: %v (%s)", err, assay.Hint(err))
		}
		runs, err := s.Runs(ctx)
		must(t, err)
		if diff := cmp.Diff([][]string{nil, {"alpha.1", "before"}}, [][]string{runs[0].Names, runs[1].Names}); diff != "" {
			t.Error(diff)
		}
		run, err := s.Unpin(ctx, "before")
		if err != nil || run != "20250301-aa" {
			t.Errorf("unpin: %s %v", run, err)
		}
		if _, err := s.Resolve(ctx, "before"); !errors.Is(err, assay.ErrNotFound) {
			t.Errorf("a name that was taken away: %v", err)
		}
		left, err := s.Pins(ctx)
		must(t, err)
		if len(left) != 1 || left[0].Name != "alpha.1" || left[0].Run != "20250301-aa" || time.Since(left[0].Since) > time.Hour {
			t.Errorf("left: %+v", left)
		}
	})
}

func TestWhatNoRunCanBeCalled(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		must(t, keep(ctx, s, small("r1", time.Unix(1, 0))))
		must(t, keep(ctx, s, small("r2", time.Unix(2, 0))))
		must(t, s.Pin(ctx, "r1", "mine"))
		for name, want := range map[string]error{
			"mine": ErrExists, "r1": ErrName, "r": ErrName, "latest": ErrName, "": ErrName, "a b": ErrName, "a=b": ErrName,
			"-x": ErrName, "2025": ErrName, "a/b": ErrName, "ä": ErrName, "a\n": ErrName,
		} {
			if err := s.Pin(ctx, "r2", name); !errors.Is(err, want) || assay.Hint(err) == "" {
				t.Errorf("%q: %v, want %v with a hint", name, err, want)
			}
		}
		if err := s.Pin(ctx, "none", "x"); !errors.Is(err, assay.ErrNotFound) {
			t.Errorf("no such run: %v", err)
		}
		if _, err := s.Unpin(ctx, "none"); !errors.Is(err, assay.ErrNotFound) || assay.Hint(err) == "" {
			t.Errorf("no such name: %v", err)
		}
		if all, err := s.Pins(ctx); err != nil || len(all) != 1 {
			t.Errorf("left: %v %v", all, err)
		}
	})
}
