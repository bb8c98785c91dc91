package tierstest

import (
	"testing"

	"assay/lab/internal/labtest"
	"assay/lab/internal/turns"
	"assay/lab/tiers"
)

// Up returns a lab with tiers of storage for the time of t. t is skipped, with the
// reason and what would help, where this machine can have none, and in a quick
// run of the tests.
func Up(t testing.TB) *tiers.Lab {
	t.Helper()
	turns.Take(t, "Kubernetes and Garage", tiers.Missing)
	return labtest.Up(t, "tiers", tiers.Up)
}
