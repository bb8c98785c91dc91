package faults

import (
	"os"
	"testing"

	"assay/lab/internal/laptop"
	"assay/lab/internal/turns"
)

// atOnce is how many tests run at the same time where -parallel does not say.
// Most of them wait for a connection to be given up, which needs no CPU.
const atOnce = 8

// variant leaves t out of a quick run, which makes another test that is much like it.
func variant(t *testing.T) {
	t.Helper()
	if os.Getenv(turns.Quick) != "" {
		t.Skip("a quick run makes one that is much like it: make test-lab makes this one too")
	}
}

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "faults", atOnce)) }
