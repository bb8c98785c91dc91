package cephtest

import (
	"context"
	"testing"

	"assay/lab/ceph"
	"assay/lab/internal/labtest"
	"assay/lab/internal/turns"
)

// Take is for tests that bring up a Ceph themselves: it skips t as Up does, and
// returns when no other package's tests hold a heavy lab.
func Take(t testing.TB) {
	t.Helper()
	turns.Take(t, "Ceph", ceph.Missing)
}

// Up returns a Ceph for the duration of t. It skips t, with the reason and a hint,
// if this machine cannot run one, and in a quick test run.
func Up(t testing.TB, o ceph.Options) *ceph.Lab {
	t.Helper()
	Take(t)
	return labtest.Up(t, "ceph", func(ctx context.Context, dir string) (*ceph.Lab, error) { return ceph.Up(ctx, dir, o) })
}
