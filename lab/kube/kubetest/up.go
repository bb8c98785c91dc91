package kubetest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"assay"
	"assay/lab/kube"
)

// bound is how long a lab may take to come up, and to go.
const bound = 5 * time.Minute

// Up gives a Kubernetes of two nodes for the time of t. t is skipped, with the
// reason and what would help, where this machine can have none.
func Up(t testing.TB) *kube.Lab {
	t.Helper()
	if err := kube.Missing(); err != nil {
		t.Skipf("%v (%s)", err, assay.Hint(err))
	}
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
