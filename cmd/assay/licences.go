package main

import (
	"github.com/spf13/cobra"

	"assay/internal/licences"
)

func (a *app) licencesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "licences",
		Short: "Print the licences of everything that this program contains",
		Args:  exactly(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			text, err := licences.Notices()
			if err != nil {
				return err
			}
			return a.stdout.lines([]byte(text))
		},
	}
}
