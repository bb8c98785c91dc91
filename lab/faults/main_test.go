package faults

import (
	"os"
	"testing"

	"assay/lab/internal/laptop"
	"assay/lab/internal/turns"
)

// atOnce is how many tests run in parallel without -parallel. Most of them wait
// for a connection to time out, which needs no CPU.
const atOnce = 8

// notQuick skips t in a quick run, which has one fault of each sort: a lost host, a
// malicious one, a changed key, a name that is a command, and kills.
func notQuick(t *testing.T) {
	t.Helper()
	turns.NotQuick(t, "this fault")
}

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "faults", atOnce)) }
