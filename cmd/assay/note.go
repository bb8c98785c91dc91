package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"assay"
)

func (a *app) noteCommand() *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   "note RUN TEXT",
		Short: "Write a note about a run",
		Long: "note adds a line to a run, such as what was changed before it or what went on\n" +
			"beside it. Reports and `assay runs` show it. With --remove, the note that is\n" +
			"TEXT or begins so is removed.",
		Example: "  assay note latest 'new firmware on sda'\n  assay note latest --remove 'new firmware'",
		Args:    needs(2, "assay note RUN 'TEXT'"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.note(cmd.Context(), args[0], args[1], remove)
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "remove the note instead")
	return cmd
}

// note adds or removes a note.
func (a *app) note(ctx context.Context, name, text string, remove bool) error {
	st, id, err := a.openRun(ctx, name)
	if err != nil {
		return err
	}
	defer st.Close()
	done := ""
	if remove {
		done = "removed: "
		text, err = st.RemoveRemark(ctx, id, text)
	} else {
		err = st.Remark(ctx, id, text)
	}
	if errors.Is(err, assay.ErrRemark) || errors.Is(err, assay.ErrNotFound) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	if a.format == formatJSON {
		return a.stdout.json(map[string]any{"run": id, "note": text, "removed": remove})
	}
	err = a.stdout.say("run %s: %s%s\n", id, done, text)
	return err
}

// labelled parses the labels of a run: the last value for a name wins.
func labelled(words []string) (map[string]string, error) {
	if len(words) == 0 {
		return nil, nil
	}
	all := map[string]string{}
	for _, word := range words {
		name, value, err := assay.ParseLabel(word)
		if err != nil {
			return nil, usage(assay.WithHint(assay.Hint(err), "--label: %w", err))
		}
		all[name] = value
	}
	return all, nil
}
