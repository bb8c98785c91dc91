package kills

import (
	"os"
	"testing"

	"assay/lab/internal/laptop"
)

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "kills", 8)) }
