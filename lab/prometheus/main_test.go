package prometheus_test

import (
	"os"
	"testing"

	"assay/lab/internal/laptop"
)

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "prometheus", 2)) }
