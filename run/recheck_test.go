package run_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"assay"
)

// restless is a volume whose settings change during a run.
type restless struct{ assay.Volume }

func (restless) Kind() string { return "restless" }

func (v restless) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	r, err := v.Volume.Reserve(ctx, at, s, want)
	r.Volume = "restless"
	return r, err
}

func plainly(r assay.Receipt) assay.Receipt {
	r.Volume = "dir"
	return r
}

func (v restless) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	return v.Volume.Lend(ctx, at, plainly(r))
}

func (v restless) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	return v.Volume.Release(ctx, at, plainly(r))
}

// Recheck fails unless the space is still there.
func (restless) Recheck(_ context.Context, _ assay.Place, r assay.Receipt) ([]assay.Note, error) {
	if _, err := os.Stat(r.Names["dir"]); err != nil {
		return nil, err
	}
	return []assay.Note{{ID: "moved", Text: "its setting was changed"}}, errors.New("the rest is unknown")
}

// A volume's report on its space after the last repeat appears in the run's notes, and does
// not prevent its release.
func TestSpaceIsLookedAtBeforeItIsTakenBack(t *testing.T) {
	b := newBench(t)
	b.probe.volume = "restless"
	got, st, err := b.carry(context.Background(), t)
	if err != nil {
		t.Fatal(err)
	}
	b.expectClean(t, st)
	notes := fmt.Sprint(got.Notes)
	for _, want := range []string{"its setting was changed", "can't tell whether here/directory/" + b.dir + " changed during the run: the rest is unknown"} {
		if strings.Count(notes, want) != 1 {
			t.Errorf("%q is not said once: %s", want, notes)
		}
	}
}
