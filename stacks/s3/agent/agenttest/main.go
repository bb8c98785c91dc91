// Package agenttest turns a test's own binary into an agent, so that it can be
// pushed in place of assay.
package agenttest

import (
	"context"
	"os"
	"os/signal"
	"testing"

	"assay/stacks/s3/agent"
)

// Main is the body of a TestMain: called with the word "agent", the binary acts
// as one, else it runs the tests. It returns the exit status.
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
