package guard

import (
	"os"
	"testing"

	"assay/lab/ownmounts"
)

func TestMain(m *testing.M) { os.Exit(ownmounts.Run(func(bool) int { return m.Run() })) }
