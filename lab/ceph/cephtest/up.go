package cephtest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"assay/lab/ceph"
	"assay/lab/internal/turns"
)

// bound is how long a lab may take to come up, and to go.
const bound = 5 * time.Minute

// Take is for tests that bring a Ceph up on their own: it skips t as Up does, and
// returns when no other package's tests have a heavy lab.
func Take(t testing.TB) {
	t.Helper()
	turns.Take(t, "Ceph", ceph.Missing)
}

// Up returns a Ceph for the time of t. t is skipped, with the reason and what would
// help, where this machine can have none, and in a quick run of the tests.
func Up(t testing.TB, o ceph.Options) *ceph.Lab {
	t.Helper()
	Take(t)
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	l, err := ceph.Up(ctx, filepath.Join(t.TempDir(), "ceph"), o)
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
