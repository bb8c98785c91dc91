package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/inventory/cluster"
	placeall "assay/place/all"
	"assay/run"
	"assay/run/tiers"
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
			entries, err := st.Outstanding(ctx)
			if err != nil {
				return err
			}
			here := slices.DeleteFunc(slices.Clone(entries), func(e store.Entry) bool { return e.Owner.Elsewhere() })
			ways, err := a.reachAgain(ctx, st, here, file)
			if err != nil {
				return err
			}
			released, err := run.Cleanup(ctx, st, ways.places, volumeall.Volumes(), true)
			if lerr := ways.leave(ctx); err == nil {
				err = lerr
			}
			if err != nil && len(released) == 0 {
				return err
			}
			return errors.Join(a.printReleased(released, len(here)-len(released), len(entries)-len(here)), err)
		},
	}
	cmd.Flags().StringVarP(&file, "inventory", "i", "", "cluster.yaml with the hosts of runs over SSH, and the tiers of storage")
	return cmd
}

// ways are what leads to hosts on which something is outstanding.
type ways struct {
	places map[string]assay.Place
	stage  *tiers.Stage // of pods that are made again; nil without
}

// reachAgain gives the hosts on which something is outstanding, as far as they can
// be reached: those of a cluster.yaml, pods like those of its tiers, or this
// machine.
func (a *app) reachAgain(ctx context.Context, st *store.Store, entries []store.Entry, file string) (ways, error) {
	var c cluster.Cluster
	if file != "" {
		var err error
		if c, err = readCluster(file); err != nil {
			return ways{}, err
		}
	}
	r := ways{places: map[string]assay.Place{}}
	for _, e := range entries {
		name := e.Receipt.Host
		switch h := c.Host(name); {
		case r.places[name] != nil:
		case h != nil:
			at, err := placeOf(c, *h, "")
			if err != nil {
				return r, err
			}
			r.places[name] = at
		case name == hostname():
			r.places[name] = placeall.Local(name, "")
		}
	}
	return r, a.reviveTiers(ctx, st, entries, c, &r)
}

// reviveTiers adds the hosts that are pods of a tier.
func (a *app) reviveTiers(ctx context.Context, st *store.Store, entries []store.Entry, c cluster.Cluster, r *ways) error {
	o := tiers.Options{Cluster: c, Here: hostname(), Run: newRunID(time.Now()), Deadline: podsEnd,
		Local: func() assay.Place { return placeall.Local(hostname(), "") }}
	for _, t := range c.Tiers {
		left := func(e store.Entry) bool {
			host := e.Receipt.Host
			return r.places[host] == nil && (host == t.Name || strings.HasPrefix(host, t.Name+"@"))
		}
		if t.InPods() && slices.ContainsFunc(entries, left) {
			o.Tiers = append(o.Tiers, t)
		}
	}
	if len(o.Tiers) == 0 {
		return nil
	}
	stage, err := tiers.Open(o)
	if err != nil {
		return err
	}
	owner, err := store.Self(o.Run)
	if err != nil {
		return err
	}
	r.stage = stage
	maps.Copy(r.places, stage.Revive(ctx, a.journal(st, owner), func(text string) { fmt.Fprintln(a.stderr, text) }))
	return nil
}

// leave ends the ways, and takes away the pods that were made for it.
func (r ways) leave(ctx context.Context) error {
	for _, at := range r.places {
		_ = at.Close()
	}
	if r.stage == nil {
		return nil
	}
	return r.stage.Lower(ctx)
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

// made are the roles of a receipt's names that something is called that was made.
var made = []string{"dir", "directory", "bucket", "namespace"}

// whatOf names what a receipt is about: what was made, or what it was lent in.
func whatOf(r assay.Receipt) string {
	var names []string
	for _, role := range made {
		if name := r.Names[role]; name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return r.Subject
	}
	return strings.Join(names, " and ")
}

// printReleased says what was removed, and what was left: busy of runs that are
// still going, elsewhere of other machines.
func (a *app) printReleased(released []run.Released, busy, elsewhere int) error {
	lines := []releasedLine{}
	var failed error
	for _, r := range released {
		l := releasedLine{Run: r.Entry.Owner.Run, Subject: r.Entry.Receipt.Subject, Names: r.Entry.Receipt.Names, Killed: r.Killed, what: whatOf(r.Entry.Receipt)}
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
		switch {
		case l.Error != "":
			fmt.Fprintf(a.stdout, "still there: %s of run %s: %s\n", l.what, l.Run, l.Error)
		case l.Killed > 0:
			fmt.Fprintf(a.stdout, "removed %s of run %s, and ended %s\n", l.what, l.Run, pluralOf(l.Killed, "process", "processes"))
		default:
			fmt.Fprintf(a.stdout, "removed %s of run %s\n", l.what, l.Run)
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
