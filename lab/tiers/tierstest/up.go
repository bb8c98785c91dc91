package tierstest

import (
	"testing"

	"assay/lab/internal/labtest"
	"assay/lab/internal/turns"
	"assay/lab/tiers"
)

// Up returns a lab with storage tiers that lasts until t ends. It skips t, with
// the reason and a hint, if this machine cannot have one, and in a quick run of
// the tests.
func Up(t testing.TB) *tiers.Lab {
	t.Helper()
	turns.Take(t, "Kubernetes and Garage", tiers.Missing)
	return labtest.Up(t, "tiers", tiers.Up)
}
