package cephtest

import (
	"context"
	"testing"

	"assay/lab/ceph"
	"assay/lab/internal/labtest"
	"assay/lab/internal/turns"
)

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
	return labtest.Up(t, "ceph", func(ctx context.Context, dir string) (*ceph.Lab, error) { return ceph.Up(ctx, dir, o) })
}
