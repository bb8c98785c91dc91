package main

import (
	"errors"

	"github.com/spf13/cobra"

	"assay"
	"assay/store"
)

func (a *app) pinCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "pin RUN NAME",
		Short: "Name a run and protect it from pruning",
		Long: "pin gives a run a name that every command accepts, for example the baseline that\n" +
			"later runs are compared with. `assay prune` never deletes a pinned run.",
		Example: "  assay pin latest before-upgrade\n  assay show before-upgrade",
		Args:    needs(2, "assay pin RUN NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			st, id, err := a.openRun(ctx, args[0])
			if err != nil {
				return err
			}
			defer st.Close()
			if err := st.Pin(ctx, id, args[1]); err != nil {
				return wrongName(err)
			}
			return a.printPin(id, args[1], "pinned as")
		},
	}
}

func (a *app) unpinCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "unpin NAME",
		Short:   "Remove a name given with pin",
		Example: "  assay unpin before-upgrade",
		Args:    needs(1, "list names with: assay runs"),
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
			return a.printPin(id, args[0], "no longer pinned as")
		},
	}
}

func (a *app) printPin(id, name, words string) error {
	if a.format == formatJSON {
		return a.stdout.json(map[string]any{"run": id, "name": name})
	}
	err := a.stdout.say("run %s %s %s\n", id, words, name)
	return err
}

// wrongName turns errors from mistyped names into usage errors.
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
			return usage(assay.WithHint(hint, "%s: missing argument", cmd.CommandPath()))
		}
		return exactly(cobra.ExactArgs(n))(cmd, args)
	}
}
