package hoststest

import (
	"context"
	"testing"

	"assay/lab/hosts"
	"assay/lab/internal/labtest"
)

// Up returns a lab of these hosts for the duration of t. It skips t, with the
// reason, if this machine cannot have a lab.
func Up(t testing.TB, all []hosts.Host) *hosts.Lab {
	t.Helper()
	if err := hosts.Missing(); err != nil {
		t.Skip(err)
	}
	return labtest.Up(t, "lab", func(ctx context.Context, dir string) (*hosts.Lab, error) { return hosts.Up(ctx, dir, all) })
}
