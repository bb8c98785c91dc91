package tierstest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"assay/lab/internal/turns"
	"assay/lab/tiers"
)

// bound is how long a lab may take to come up, and to go.
const bound = 5 * time.Minute

// Up returns a lab with tiers of storage for the time of t. t is skipped, with the
// reason and what would help, where this machine can have none, and in a quick
// run of the tests.
func Up(t testing.TB) *tiers.Lab {
	t.Helper()
	turns.Take(t, "Kubernetes and Garage", tiers.Missing)
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	l, err := tiers.Up(ctx, filepath.Join(t.TempDir(), "tiers"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), bound)
		defer cancel()
		if err := l.Down(ctx); err != nil {
			t.Error(err)
		}
	})
	return l
}
