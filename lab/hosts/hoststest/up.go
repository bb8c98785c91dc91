package hoststest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"assay/lab/hosts"
)

// bound is how long a lab may take to come up, and to go.
const bound = 5 * time.Minute

// Up returns a lab of these hosts for the time of t. t is skipped, with the
// reason, where this machine can have no lab.
func Up(t testing.TB, all []hosts.Host) *hosts.Lab {
	t.Helper()
	if err := hosts.Missing(); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	l, err := hosts.Up(ctx, filepath.Join(t.TempDir(), "lab"), all)
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
