package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assay/run/session"
)

func (a *app) cleanupCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "cleanup",
		Short: "Remove what killed runs have left behind",
		Long: "cleanup reads the journal: whatever a run was lent and never gave back,\n" +
			"because it was killed or the machine went down, is removed. What belongs to a\n" +
			"run that is still going is left alone. What was lent on other hosts is removed\n" +
			"with -i cluster.yaml, which says how they are reached: where a pod is gone that\n" +
			"left something on its node, another one is made for it. In a database that\n" +
			"several machines share, each removes what its own runs have left.",
		Args: exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			st, err := a.openStore(ctx)
			if err != nil {
				return err
			}
			defer st.Close()
			done, err := session.Cleanup(ctx, st, file, func(text string) { fmt.Fprintln(a.stderr, text) })
			if err != nil && len(done.Released) == 0 {
				return err
			}
			return errors.Join(a.printCleaned(done), err)
		},
	}
	cmd.Flags().StringVarP(&file, "inventory", "i", "", "cluster.yaml with the hosts of runs over SSH, and the tiers of storage")
	return cmd
}

// releasedLine is one journal entry that was dealt with, as JSON has it.
type releasedLine struct {
	Run     string            `json:"run"`
	Subject string            `json:"subject"`
	Names   map[string]string `json:"names"`
	Killed  int               `json:"killed"`
	Error   string            `json:"error,omitempty"`

	what string
}

// printCleaned says what was removed, and what was left alone.
func (a *app) printCleaned(done session.Cleaned) error {
	lines := []releasedLine{}
	var failed error
	for _, r := range done.Released {
		l := releasedLine{Run: r.Entry.Owner.Run, Subject: r.Entry.Receipt.Subject, Names: r.Entry.Receipt.Names, Killed: r.Killed, what: session.NameOf(r.Entry.Receipt)}
		if r.Err != nil {
			l.Error, failed = r.Err.Error(), r.Err
		}
		lines = append(lines, l)
	}
	if a.format == formatJSON {
		if err := writeJSON(a.stdout, map[string]any{"released": lines, "in_use": done.InUse, "elsewhere": done.Elsewhere}); err != nil {
			return err
		}
		return failed
	}
	if len(lines) == 0 {
		fmt.Fprintln(a.stdout, "nothing was left behind")
	}
	for _, l := range lines {
		switch {
		case l.Error != "":
			fmt.Fprintf(a.stdout, "still there: %s of run %s: %s\n", l.what, l.Run, l.Error)
		case l.Killed > 0:
			fmt.Fprintf(a.stdout, "removed %s of run %s, and ended %s\n", l.what, l.Run, pluralOf(l.Killed, "process", "processes"))
		default:
			fmt.Fprintf(a.stdout, "removed %s of run %s\n", l.what, l.Run)
		}
	}
	if done.InUse > 0 {
		fmt.Fprintf(a.stdout, "left alone: %s of a run that is still going\n", plural(done.InUse, "scratch space"))
	}
	if done.Elsewhere > 0 {
		fmt.Fprintf(a.stdout, "left to the machines that measured: %s\n", plural(done.Elsewhere, "scratch space"))
	}
	return failed
}

func pluralOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
