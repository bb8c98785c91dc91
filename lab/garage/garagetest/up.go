package garagetest

import (
	"context"
	"testing"

	"assay"
	"assay/lab/garage"
	"assay/lab/internal/labtest"
	"assay/lab/internal/turns"
)

// Take is for tests that bring up a Garage themselves: it skips t as Up does, and
// returns when no other package's tests hold a heavy lab.
func Take(t testing.TB) {
	t.Helper()
	turns.Take(t, "Garage", garage.Missing)
}

// Up returns a Garage for the duration of t. It skips t, with the reason and a
// hint, if this machine cannot run one, and in a quick test run.
func Up(t testing.TB, o garage.Options) *garage.Lab {
	t.Helper()
	Take(t)
	if err := garage.CannotBound(); o.DataBytes > 0 && err != nil {
		t.Skipf("%v (%s)", err, assay.Hint(err))
	}
	return labtest.Up(t, "garage", func(ctx context.Context, dir string) (*garage.Lab, error) { return garage.Up(ctx, dir, o) })
}

// Bucket creates a bucket and returns the key that opens it.
func Bucket(t testing.TB, l *garage.Lab, name string) garage.Key {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), labtest.Bound)
	defer cancel()
	k, err := l.NewKey(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.NewBucket(ctx, name, k); err != nil {
		t.Fatal(err)
	}
	return k
}
