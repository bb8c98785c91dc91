package garagetest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"assay"
	"assay/lab/garage"
)

// bound is how long a lab may take to come up, and to go.
const bound = 3 * time.Minute

// Up gives a Garage for the time of t. t is skipped, with the reason and what
// would help, where this machine can have none.
func Up(t testing.TB, o garage.Options) *garage.Lab {
	t.Helper()
	err := garage.Missing()
	if err == nil && o.DataBytes > 0 {
		err = garage.CannotBound()
	}
	if err != nil {
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

// Bucket gives a new bucket and the key that opens it.
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
