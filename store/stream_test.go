package store

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay"
	"assay/store/storetest"
)

// Copied piece by piece from one database into another, any run arrives
// complete.
func TestARunGoesFromStoreToStore(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		from, to, ctx, count := at.fresh(t), at.fresh(t), context.Background(), 0
		rapid.Check(t, func(rt *rapid.T) {
			count++
			run := storetest.AnyRun(rt, fmt.Sprintf("run-%d", count))
			if err := keep(ctx, from, run); err != nil {
				rt.Fatal(err)
			}
			err := to.Take(ctx, func(into Taker) error { return from.Give(ctx, run.ID, into) })
			if err != nil {
				rt.Fatal(err)
			}
			if diff := lost(ctx, to, run); diff != "" {
				rt.Fatal(diff)
			}
		})
	})
}

// What is known about lent space is copied too, even if that is only a purge.
func TestAPurgeGoesFromStoreToStore(t *testing.T) {
	from, to, ctx := fresh(t), fresh(t), context.Background()
	run := small("r", time.Unix(1, 0).UTC())
	run.Results[0].Scratch = assay.Scratch{Purge: "discard"}
	must(t, keep(ctx, from, run))
	must(t, to.Take(ctx, func(into Taker) error { return from.Give(ctx, run.ID, into) }))
	if got := mustLoad(t, to, run.ID).Results[0].Scratch.Purge; got != "discard" {
		t.Errorf("purged by %q, want discard", got)
	}
}

func TestWhatIsTakenInPartIsNotThere(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx, stop := at.fresh(t), context.Background(), errors.New("enough")
		run := small("r", time.Unix(1, 0).UTC())
		for name, c := range map[string]struct {
			give func(Taker) error
			want error
		}{
			"given up":       {func(Taker) error { return stop }, stop},
			"a trial twice":  {func(to Taker) error { return to.Trial(run.Results[0]) }, ErrExists},
			"a repeat twice": {func(to Taker) error { return to.Repeat(repeatNumber(1)) }, ErrExists},
			"the run twice":  {func(to Taker) error { return to.Head(run) }, ErrExists},
			"a nameless metric": {func(to Taker) error {
				return to.Repeat(assay.Repeat{N: 7, Measurements: []assay.Measurement{{}}})
			}, nil},
		} {
			err := s.Take(ctx, func(to Taker) error {
				return errors.Join(to.Head(run), to.Trial(run.Results[0]), to.Repeat(repeatNumber(1)), c.give(to))
			})
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
			if left := everything(t, s, ""); len(left) > 0 {
				t.Errorf("%s: left are %v", name, left)
			}
		}
		if err := s.Give(ctx, "r", nil); !errors.Is(err, assay.ErrNotFound) {
			t.Errorf("no such run: %v", err)
		}
		orphan := s.Take(ctx, func(to Taker) error { return errors.Join(to.Head(run), to.Repeat(repeatNumber(1))) })
		if !errors.Is(orphan, assay.ErrNotFound) {
			t.Errorf("a repeat of no trial: %v", orphan)
		}
	})
}
