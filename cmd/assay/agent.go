package main

import (
	"github.com/spf13/cobra"

	"assay/stacks/s3/agent"
)

// agentCommand is the command that assay starts on hosts that load an object
// store. It is not for people: job and reply are JSON, and differ between
// versions.
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
