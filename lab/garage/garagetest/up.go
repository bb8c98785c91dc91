package garagetest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"assay"
	"assay/lab/garage"
	"assay/lab/internal/turns"
)

// bound is how long a lab may take to come up, and to go.
const bound = 5 * time.Minute

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
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	l, err := garage.Up(ctx, filepath.Join(t.TempDir(), "garage"), o)
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

// Bucket returns a new bucket and the key that opens it.
func Bucket(t testing.TB, l *garage.Lab, name string) garage.Key {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), bound)
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
