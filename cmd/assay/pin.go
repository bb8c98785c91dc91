package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assay"
	"assay/store"
)

func (a *app) pinCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "pin RUN NAME",
		Short: "Give a run a name, and keep it from being pruned",
		Long: "pin gives a run a name that every command takes for it, such as the baseline\n" +
			"that later runs are held against. `assay prune` leaves it alone.",
		Example: "  assay pin latest before-upgrade\n  assay show before-upgrade",
		Args:    needs(2, "name a run and what to call it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			st, err := a.openStore(ctx)
			if err != nil {
				return err
			}
			defer st.Close()
			id, err := st.Resolve(ctx, args[0])
			if err != nil {
				return usage(err)
			}
			if err := st.Pin(ctx, id, args[1]); err != nil {
				return wrongName(err)
			}
			return a.printPin(id, args[1], "is called")
		},
	}
}

func (a *app) unpinCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "unpin NAME",
		Short:   "Take such a name away again",
		Example: "  assay unpin before-upgrade",
		Args:    needs(1, "give the name; `assay runs` lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			st, err := a.openStore(cmd.Context())
			if err != nil {
				return err
			}
			defer st.Close()
			id, err := st.Unpin(cmd.Context(), args[0])
			if err != nil {
				return wrongName(err)
			}
			return a.printPin(id, args[0], "is no longer called")
		},
	}
}

func (a *app) printPin(id, name, words string) error {
	if a.format == formatJSON {
		return writeJSON(a.stdout, map[string]any{"run": id, "name": name})
	}
	_, err := fmt.Fprintf(a.stdout, "run %s %s %s\n", id, words, name)
	return err
}

// wrongName gives what a person typed wrong the status of that.
func wrongName(err error) error {
	for _, typed := range []error{store.ErrName, store.ErrExists, assay.ErrNotFound} {
		if errors.Is(err, typed) {
			return usage(err)
		}
	}
	return err
}

// needs is cobra's check for an exact number of arguments, in assay's words.
func needs(n int, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return usage(assay.WithHint(hint, "%s: something is missing", cmd.CommandPath()))
		}
		return exactly(cobra.ExactArgs(n))(cmd, args)
	}
}
