package kubetest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"assay/lab/internal/turns"
	"assay/lab/kube"
)

// bound is how long a lab may take to come up, and to go.
const bound = 5 * time.Minute

// Take is for tests that bring a Kubernetes up on their own: it skips t as Up does, and
// returns when no other package's tests have a heavy lab.
func Take(t testing.TB) {
	t.Helper()
	turns.Take(t, "Kubernetes", kube.Missing)
}

// Up returns a Kubernetes of two nodes for the time of t. t is skipped, with the
// reason and what would help, where this machine can have none, and in a quick
// run of the tests.
func Up(t testing.TB) *kube.Lab {
	t.Helper()
	Take(t)
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	began := time.Now()
	l, err := kube.Up(ctx, filepath.Join(t.TempDir(), "kube"), kube.Standard)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("up in %.1f s", time.Since(began).Seconds())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), bound)
		defer cancel()
		began := time.Now()
		if err := l.Down(ctx); err != nil {
			t.Error(err)
		}
		t.Logf("down in %.1f s", time.Since(began).Seconds())
	})
	return l
}
