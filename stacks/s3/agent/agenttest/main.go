// Package agenttest makes a test's own binary an agent, so that it can be pushed
// where assay would be.
package agenttest

import (
	"context"
	"os"
	"os/signal"
	"testing"

	"assay/stacks/s3/agent"
)

// Main is the body of a TestMain: called with the word "agent" the binary is one,
// else it runs the tests. It gives the exit status.
func Main(m *testing.M) int {
	if len(os.Args) != 2 || os.Args[1] != "agent" {
		return m.Run()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if !agent.Serve(ctx, os.Stdin, os.Stdout, "test") {
		return 1
	}
	return 0
}
