// Package labtest brings labs up for tests.
package labtest

import (
	"context"
	"path/filepath"
	"testing"
	"time"
)

// Bound is how long a lab may take to come up, or to go down.
const Bound = 10 * time.Minute

// Up brings a lab up in a directory of that name until t ends.
func Up[L interface{ Down(context.Context) error }](t testing.TB, name string, up func(ctx context.Context, dir string) (L, error)) L {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Bound)
	defer cancel()
	began := time.Now()
	l, err := up(ctx, filepath.Join(t.TempDir(), name))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s up in %.1f s", name, time.Since(began).Seconds())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), Bound)
		defer cancel()
		if err := l.Down(ctx); err != nil {
			t.Error(err)
		}
	})
	return l
}
