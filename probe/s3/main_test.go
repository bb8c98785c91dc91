package s3_test

import (
	"os"
	"testing"

	"assay/stacks/s3/agent/agenttest"
)

// TestMain makes the test binary itself the one that is pushed.
func TestMain(m *testing.M) { os.Exit(agenttest.Main(m)) }
