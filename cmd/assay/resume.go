package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay"
)

// withResume are the flags that --resume goes with: the run has its own suite,
// cases, seed and directories.
var withResume = []string{"resume", "inventory", "time-budget", "report", "format", "db"}

func checkResume(cmd *cobra.Command) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && !slices.Contains(withResume, f.Name) {
			err = usage(assay.WithHint("leave it out: the run goes on as it was planned", "--resume and --%s exclude each other", f.Name))
		}
	})
	return err
}
