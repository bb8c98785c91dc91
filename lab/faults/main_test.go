package faults

import (
	"os"
	"testing"

	"assay/lab/internal/laptop"
)

// atOnce is how many tests run at the same time where -parallel does not say.
// Most of them wait for a connection to be given up, which needs no CPU.
const atOnce = 8

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "faults", atOnce)) }
