package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"assay"
	"assay/cluster"
	placeall "assay/place/all"
	"assay/run"
	"assay/store"
	volumeall "assay/volume/all"
)

func (a *app) cleanupCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "cleanup",
		Short: "Remove what killed runs have left behind",
		Long: "cleanup reads the journal: whatever a run was lent and never gave back,\n" +
			"because it was killed or the machine went down, is removed. What belongs to a\n" +
			"run that is still going is left alone. What was lent on other hosts is removed\n" +
			"with -i cluster.yaml, which says how they are reached. In a database that\n" +
			"several machines share, each removes what its own runs have left.",
		Args: exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			st, err := a.openStore(ctx)
			if err != nil {
				return err
			}
			defer st.Close()
			entries, err := st.Outstanding(ctx)
			if err != nil {
				return err
			}
			here := slices.DeleteFunc(slices.Clone(entries), func(e store.Entry) bool { return e.Owner.Elsewhere() })
			places, err := placesOf(here, file)
			if err != nil {
				return err
			}
			for _, at := range places {
				defer at.Close()
			}
			released, err := run.Cleanup(ctx, st, places, volumeall.Volumes(), true)
			if err != nil {
				return err
			}
			return a.printReleased(released, len(here)-len(released), len(entries)-len(here))
		},
	}
	cmd.Flags().StringVarP(&file, "inventory", "i", "", "cluster.yaml with the hosts of runs over SSH")
	return cmd
}

// placesOf are the hosts on which something is outstanding, as far as they can
// be reached: those of a cluster.yaml, or this machine.
func placesOf(entries []store.Entry, file string) (map[string]assay.Place, error) {
	var c cluster.Cluster
	if file != "" {
		var err error
		if c, err = readCluster(file); err != nil {
			return nil, err
		}
	}
	places := map[string]assay.Place{}
	for _, e := range entries {
		name := e.Receipt.Host
		switch h := c.Host(name); {
		case places[name] != nil:
		case h != nil:
			at, err := placeOf(c, *h, "")
			if err != nil {
				return nil, err
			}
			places[name] = at
		case name == hostname():
			places[name] = placeall.Local(name, "")
		}
	}
	return places, nil
}

// releasedLine is one journal entry that was dealt with, as JSON has it.
type releasedLine struct {
	Run     string            `json:"run"`
	Subject string            `json:"subject"`
	Names   map[string]string `json:"names"`
	Killed  int               `json:"killed"`
	Error   string            `json:"error,omitempty"`
}

// printReleased says what was removed, and what was left: busy of runs that are
// still going, elsewhere of other machines.
func (a *app) printReleased(released []run.Released, busy, elsewhere int) error {
	lines := []releasedLine{}
	var failed error
	for _, r := range released {
		l := releasedLine{Run: r.Entry.Owner.Run, Subject: r.Entry.Receipt.Subject, Names: r.Entry.Receipt.Names, Killed: r.Killed}
		if r.Err != nil {
			l.Error, failed = r.Err.Error(), r.Err
		}
		lines = append(lines, l)
	}
	if a.format == formatJSON {
		if err := writeJSON(a.stdout, map[string]any{"released": lines, "in_use": busy, "elsewhere": elsewhere}); err != nil {
			return err
		}
		return failed
	}
	if len(lines) == 0 {
		fmt.Fprintln(a.stdout, "nothing was left behind")
	}
	for _, l := range lines {
		for _, name := range l.Names {
			switch {
			case l.Error != "":
				fmt.Fprintf(a.stdout, "still there: %s of run %s\n", name, l.Run)
			case l.Killed > 0:
				fmt.Fprintf(a.stdout, "removed %s of run %s, and ended %s\n", name, l.Run, pluralOf(l.Killed, "process", "processes"))
			default:
				fmt.Fprintf(a.stdout, "removed %s of run %s\n", name, l.Run)
			}
		}
	}
	if busy > 0 {
		fmt.Fprintf(a.stdout, "left alone: %s of a run that is still going\n", plural(busy, "scratch space"))
	}
	if elsewhere > 0 {
		fmt.Fprintf(a.stdout, "left to the machines that measured: %s\n", plural(elsewhere, "scratch space"))
	}
	return failed
}

func pluralOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
