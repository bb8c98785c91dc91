package main

import (
	"github.com/spf13/cobra"

	"assay/stacks/s3/agent"
)

// agentCommand is what assay starts on the hosts that load an object store. It is
// no verb for people: job and reply are JSON, and another version's are others.
func (a *app) agentCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "agent",
		Short:  "Run one object-store job: JSON on stdin, JSON on stdout",
		Hidden: true,
		Args:   exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !agent.Serve(cmd.Context(), a.stdin, a.stdout.to, ownVersion()) {
				return &statusError{code: exitFailed}
			}
			return nil
		},
	}
}
