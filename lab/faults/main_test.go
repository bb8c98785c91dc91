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

// notQuick leaves t out of a quick run, which makes one fault of each sort: a host that
// is lost, one that is hostile, another key, a name that is a command, and kills.
func notQuick(t *testing.T) {
	t.Helper()
	turns.NotQuick(t, "this fault")
}

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "faults", atOnce)) }
