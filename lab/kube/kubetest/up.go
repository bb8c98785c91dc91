package kubetest

import (
	"context"
	"testing"

	"assay/lab/internal/labtest"
	"assay/lab/internal/turns"
	"assay/lab/kube"
)

// Take is for tests that bring a Kubernetes up on their own: it skips t as Up does, and
// otherwise waits until no other package's tests have a heavy lab.
func Take(t testing.TB) {
	t.Helper()
	turns.Take(t, "Kubernetes", kube.Missing)
}

// Up returns a Kubernetes of two nodes that lasts until t ends. It skips t, with
// the reason and a hint, if this machine cannot have one, and in a quick run of
// the tests.
func Up(t testing.TB) *kube.Lab {
	t.Helper()
	Take(t)
	return labtest.Up(t, "kube", func(ctx context.Context, dir string) (*kube.Lab, error) { return kube.Up(ctx, dir, kube.Standard) })
}
