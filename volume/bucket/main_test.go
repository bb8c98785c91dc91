package bucket_test

import (
	"os"
	"testing"

	"assay/stacks/s3/agent/agenttest"
)

// TestMain lets the test binary serve as the pushed agent.
func TestMain(m *testing.M) { os.Exit(agenttest.Main(m)) }
