package bucket_test

import (
	"context"
	"os"
	"os/signal"
	"testing"

	"assay/agent"
)

// TestMain makes the test's own binary the one that is pushed.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "agent" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		if !agent.Serve(ctx, os.Stdin, os.Stdout, "test") {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
