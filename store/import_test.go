package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay"
	"assay/store/storetest"
)

// Measurements from elsewhere come back unchanged. Scratch space belongs to the
// machine that measured, and is not kept.
func TestImportKeepsAllOfARun(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx, count := at.fresh(t), context.Background(), 0
		rapid.Check(t, func(rt *rapid.T) {
			count++
			run := storetest.AnyRun(rt, fmt.Sprintf("import-%d", count))
			for i := range run.Results {
				run.Results[i].Scratch = assay.Scratch{}
			}
			if err := s.Import(ctx, run); err != nil {
				rt.Fatal(err)
			}
			if diff := lost(ctx, s, run); diff != "" {
				rt.Fatal(diff)
			}
		})
	})
}

func TestAnImportThatFailsLeavesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		run := small("r1", time.Now().UTC())
		run.Results = []assay.Result{
			{Trial: assay.Trial{ID: "a"}, Repeats: []assay.Repeat{repeatNumber(1)}},
			{Trial: assay.Trial{ID: "a"}, Repeats: []assay.Repeat{repeatNumber(1)}},
		}
		if err := s.Import(ctx, run); !errors.Is(err, ErrExists) {
			t.Errorf("two trials of one name: %v", err)
		}
		run.Results[1].Trial.ID = "b"
		run.Results[1].Repeats[0].Measurements = []assay.Measurement{{Metric: "m", Value: math.NaN()}}
		if err := s.Import(ctx, run); err == nil {
			t.Error("NaN is stored")
		}
		for _, table := range []string{"run", "trial", "repeat", "measurement"} {
			if n := rowsOf(t, s, table); n != 0 {
				t.Errorf("%s has %d rows", table, n)
			}
		}
		run.Results = run.Results[:1]
		must(t, s.Import(ctx, run))
		if err := s.Import(ctx, run); !errors.Is(err, ErrExists) {
			t.Errorf("a second import: %v", err)
		}
	})
}
