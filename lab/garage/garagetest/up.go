package garagetest

import (
	"context"
	"testing"

	"assay"
	"assay/lab/garage"
	"assay/lab/internal/labtest"
	"assay/lab/internal/turns"
)

// Take is for tests that bring a Garage up on their own: it skips t as Up does, and
// returns when no other package's tests have a heavy lab.
func Take(t testing.TB) {
	t.Helper()
	turns.Take(t, "Garage", garage.Missing)
}

// Up returns a Garage for the time of t. t is skipped, with the reason and what
// would help, where this machine can have none, and in a quick run of the tests.
func Up(t testing.TB, o garage.Options) *garage.Lab {
	t.Helper()
	Take(t)
	if err := garage.CannotBound(); o.DataBytes > 0 && err != nil {
		t.Skipf("%v (%s)", err, assay.Hint(err))
	}
	return labtest.Up(t, "garage", func(ctx context.Context, dir string) (*garage.Lab, error) { return garage.Up(ctx, dir, o) })
}

// Bucket returns a new bucket and the key that opens it.
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
