package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"assay/internal/oneline"
	"assay/internal/prose"
	"assay/internal/shell"
	"assay/run/session"
	"assay/store"
)

func (a *app) cleanupCommand() *cobra.Command {
	var file, forget string
	cmd := &cobra.Command{
		Use:   "cleanup",
		Short: "Remove what interrupted runs left behind",
		Long: "cleanup reads the journal and removes the scratch files, pods, claims and\n" +
			"buckets of runs that were killed or whose machine went down, and restores the\n" +
			"settings that they had changed. Anything that belongs to a run in progress is\n" +
			"left alone. To clean up other hosts, pass -i cluster.yaml, which says how to\n" +
			"reach them; if a pod that left files on its node is gone, cleanup creates a new\n" +
			"pod to remove them. If several machines share a database, each cleans up after\n" +
			"its own runs.\n\n" +
			"Entries of the journal carry a seal made with a key that only you have, on this\n" +
			"machine. Entries without a valid one (another user's, an older version's or\n" +
			"forged) are listed, and nothing that they name is touched.",
		Args: exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			st, err := a.openStore(ctx)
			if err != nil {
				return err
			}
			defer st.Close()
			if forget != "" {
				n, err := session.Forget(ctx, st, forget)
				switch {
				case err == nil && a.format == formatJSON:
					err = a.stdout.json(map[string]any{"run": forget, "forgotten": n})
				case err == nil:
					err = a.stdout.say("removed %s of run %s from the journal, and nothing else\n", pluralOf(n, "unsealed entry", "unsealed entries"), forget)
				}
				return err
			}
			done, err := session.Cleanup(ctx, st, file, func(text string) { a.stderr.say("%s\n", text) })
			if err != nil && len(done.Released) == 0 {
				return err
			}
			return errors.Join(a.printCleaned(done), err)
		},
	}
	cmd.Flags().StringVarP(&file, "inventory", "i", "", "cluster.yaml with the SSH hosts and the storage tiers of those runs")
	cmd.Flags().StringVar(&forget, "forget", "", "only delete the unsealed entries of this run from the journal; remove by hand what they name")
	return cmd
}

// releasedLine is one handled journal entry in JSON output.
type releasedLine struct {
	Run     string            `json:"run"`
	Subject string            `json:"subject"`
	Names   map[string]string `json:"names"`
	Killed  int               `json:"killed"`
	Error   string            `json:"error,omitempty"`

	what     string
	restores bool // it is a setting, not something created
}

// printCleaned reports what was removed, and what was left alone.
func (a *app) printCleaned(done session.Cleaned) error {
	lines := []releasedLine{}
	var failed error
	for _, r := range done.Released {
		l := releasedLine{Run: r.Entry.Owner.Run, Subject: r.Entry.Receipt.Subject, Names: r.Entry.Receipt.Names, Killed: r.Killed, what: session.NameOf(r.Entry.Receipt), restores: session.Restores(r.Entry.Receipt) != ""}
		if r.Err != nil {
			l.Error, failed = r.Err.Error(), r.Err
		}
		lines = append(lines, l)
	}
	if a.format == formatJSON {
		unproven := []unprovenLine{}
		for _, e := range done.Unproven {
			unproven = append(unproven, unprovenLine{Run: e.Owner.Run, Subject: e.Receipt.Subject, Names: e.Receipt.Names, Maker: e.Maker})
		}
		if err := a.stdout.json(map[string]any{"released": lines, "in_use": done.InUse, "elsewhere": done.Elsewhere, "unproven": unproven}); err != nil {
			return err
		}
		return failed
	}
	if len(lines) == 0 && len(done.Unproven) == 0 {
		a.stdout.say("nothing to clean up\n")
	}
	for _, l := range lines {
		did, of := "removed", l.what+" of run "+l.Run
		if l.restores {
			did, of = "restored", l.what+", changed by run "+l.Run
		}
		switch {
		case l.Error != "":
			a.stdout.say("not %s: %s: %s\n", did, of, l.Error)
		case l.Killed > 0:
			a.stdout.say("%s %s and ended %s\n", did, of, pluralOf(l.Killed, "process", "processes"))
		default:
			a.stdout.say("%s %s\n", did, of)
		}
	}
	if done.InUse > 0 {
		a.stdout.say("skipped: %s of a run in progress\n", prose.Plural(done.InUse, "scratch space"))
	}
	if done.Elsewhere > 0 {
		a.stdout.say("skipped: %s of runs started on other machines\n", prose.Plural(done.Elsewhere, "scratch space"))
	}
	a.printUnproven(done.Unproven)
	return failed
}

// unprovenLine is a journal entry that was left alone, in JSON output.
type unprovenLine struct {
	Run     string            `json:"run"`
	Subject string            `json:"subject"`
	Names   map[string]string `json:"names"`
	Maker   string            `json:"maker,omitempty"`
}

// printUnproven lists the journal entries that lack proof.
func (a *app) printUnproven(entries []store.Entry) {
	runs := map[string]bool{}
	for _, e := range entries {
		by := "made by an unknown user"
		if e.Maker != "" {
			by = "made by " + e.Maker + ", as it says"
		}
		a.stdout.say("left alone: %s of run %s, %s: no valid seal of this user on this machine\n",
			session.NameOf(e.Receipt), e.Owner.Run, by)
		runs[e.Owner.Run] = true
	}
	for _, run := range slices.Sorted(maps.Keys(runs)) {
		a.stdout.say("if you know it to be yours, remove it by hand; then: assay cleanup --forget %s\n", shell.Quote(oneline.Clean(run)))
	}
}

func pluralOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
