package run_test

import (
	"os"
	"testing"

	"assay/stacks/s3/agent/agenttest"
)

// TestMain makes the test binary itself the one that is pushed to load a store.
func TestMain(m *testing.M) { os.Exit(agenttest.Main(m)) }
