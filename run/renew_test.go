package run_test

import (
	"context"
	"errors"
	"testing"

	"assay"
	"assay/volume/dir"
)

// held is a volume that may lose hold of what it lent.
type held struct {
	restless
	renew func() error
}

func (held) Kind() string { return "held" }

func (v held) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	r, err := v.restless.Reserve(ctx, at, s, want)
	r.Volume = "held"
	return r, err
}

func (v held) Renew(context.Context, assay.Place, assay.Receipt) error { return v.renew() }

// carryHeld runs six repeats on space whose hold fails once with an error, before the
// third. It returns how many repeats measured, and how many broke.
func carryHeld(t *testing.T, failure error) (measured, broke int) {
	t.Helper()
	b := newBench(t)
	renewed := 0
	b.volumes = []assay.Volume{held{restless{dir.New()}, func() error {
		if *b.probe.calls > renewed {
			t.Errorf("it was measured %d times after %d looks", *b.probe.calls, renewed)
		}
		if renewed++; renewed == 3 {
			return failure
		}
		return nil
	}}}
	b.probe.volume = "held"
	got, st, err := b.carry(context.Background(), t)
	if err != nil {
		t.Fatal(err)
	}
	b.expectClean(t, st)
	for _, r := range got.Results {
		for _, rep := range r.Repeats {
			if rep.Outcome == assay.Done {
				measured++
			} else if broke++; rep.Error != failure.Error() {
				t.Errorf("repeat %d of %s: %s", rep.N, r.Trial.ID, rep.Error)
			}
		}
	}
	if *b.probe.calls != measured {
		t.Errorf("the probe ran %d times, and measured %d", *b.probe.calls, measured)
	}
	return measured, broke
}

// Space is held before each repeat. Where it is not, and cannot be again, nothing is
// measured in it any more.
func TestSpaceThatIsNoLongerHeld(t *testing.T) {
	measured, broke := carryHeld(t, errors.New("somebody has it"))
	if measured != 2 || broke == 0 {
		t.Errorf("%d repeats measured, %d broke", measured, broke)
	}
}

// A host that is away for a moment does not end what follows.
func TestHoldOfAHostThatIsAway(t *testing.T) {
	if measured, broke := carryHeld(t, assay.ErrHostGone); measured != 5 || broke != 1 {
		t.Errorf("%d repeats measured, %d broke", measured, broke)
	}
}
