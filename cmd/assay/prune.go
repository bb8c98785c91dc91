package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/prose"
	"assay/report"
	"assay/report/block"
	"assay/store"
)

// retention selects runs to delete.
type retention struct {
	keep  int           // keep this many of the newest; negative: ignore
	older time.Duration // only runs older than this; 0: any age
	suite string        // only those of this suite; "" for all
}

func (a *app) pruneCommand() *cobra.Command {
	var r retention
	var older string
	var dry, yes bool
	cmd := &cobra.Command{
		Use:   "prune [--keep N] [--older-than AGE] [--suite SUITE]",
		Short: "Delete old runs and free their space",
		Long: "prune deletes runs that are older than AGE and not among the newest N; give at\n" +
			"least one of the two. With --suite, runs of other suites are neither counted nor\n" +
			"deleted; imported runs are counted apart. It lists the runs and their size and\n" +
			"asks before it deletes. Pinned runs (assay pin), runs in progress and the\n" +
			"journal for `assay cleanup` are kept.",
		Example: "  assay prune --keep 20 --dry-run\n  assay prune --older-than 90d --suite quick --yes",
		Args:    exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("keep") {
				r.keep = -1
			} else if r.keep < 0 {
				return usage(fmt.Errorf("--keep must not be negative: %d", r.keep))
			}
			var err error
			if r.older, err = age("--older-than", older); err != nil {
				return err
			}
			if r.keep < 0 && r.older == 0 {
				return usage(assay.WithHint("for example --keep 20 or --older-than 90d", "give --keep or --older-than"))
			}
			return a.prune(cmd.Context(), r, dry, yes)
		},
	}
	cmd.Flags().IntVar(&r.keep, "keep", 0, "keep this many of the newest runs")
	cmd.Flags().StringVar(&older, "older-than", "", "delete only runs started longer ago than this: 12h, 90d, 8w")
	cmd.Flags().StringVar(&r.suite, "suite", "", "only runs of this suite")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "list what would be deleted, and delete nothing")
	cmd.Flags().BoolVar(&yes, "yes", false, "delete without asking")
	return cmd
}

var ageForm = lazyregexp.New(`^([0-9]{1,5})([hdw])$`)

// age parses the duration given to a flag, such as 12h, 90d and 8w; "" is 0.
func age(flag, s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	m := ageForm.FindStringSubmatch(s)
	if m == nil {
		return 0, usage(assay.WithHint("for example 12h, 90d or 8w", "%s %s: invalid age", flag, s))
	}
	n, _ := strconv.Atoi(m[1])
	unit := map[string]time.Duration{"h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour}[m[2]]
	if n == 0 {
		return 0, usage(assay.WithHint("for example 12h, 90d or 8w; to delete runs of any age, use assay prune --keep 0", "%s %s matches every run", flag, s))
	}
	return time.Duration(n) * unit, nil
}

// choose returns the runs to delete, given all with the newest first, and how many
// only their name keeps. Runs out of turn are counted separately: an import never
// pushes out a run of the user's.
func (r retention) choose(all []store.Summary, now time.Time) (out []store.Summary, pinned int) {
	newer := map[bool]int{} // by whether they are in turn
	for _, s := range all {
		if r.suite != "" && s.Suite != r.suite || s.StatusNow() == assay.RunRunning {
			continue
		}
		turn := s.InTurn(now)
		newer[turn]++
		switch {
		case newer[turn] <= r.keep, r.older > 0 && now.Sub(s.Started) <= r.older:
		case s.Pinned:
			pinned++
		default:
			out = append(out, s)
		}
	}
	return out, pinned
}

// going returns the runs that are not over. In a database shared by several
// machines that includes runs whose machine never came back.
func going(all []store.Summary) (ids []string) {
	for _, s := range all {
		if s.StatusNow() == assay.RunRunning {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// pruneLine is the JSON form of a run to delete.
type pruneLine struct {
	ID      string    `json:"id"`
	Suite   string    `json:"suite"`
	Started time.Time `json:"started"`
	Bytes   int64     `json:"bytes"` // about
}

func (a *app) prune(ctx context.Context, r retention, dry, yes bool) error {
	st, err := a.openStore(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	all, err := st.Runs(ctx)
	if err != nil {
		return err
	}
	chosen, pinned := r.choose(all, time.Now())
	lines := []pruneLine{}
	var total int64
	for _, s := range chosen {
		size, err := st.Size(ctx, s.ID)
		if err != nil {
			return err
		}
		total += size
		lines = append(lines, pruneLine{s.ID, s.Suite, s.Started, size})
	}
	if ids := going(all); len(ids) > 0 {
		a.stderr.say("%s in progress kept: %s\n", prose.Plural(len(ids), "run"), list(ids))
	}
	if a.format != formatJSON {
		if err := a.printPruned(lines, total, pinned, len(all)); err != nil || len(lines) == 0 || dry {
			return err
		}
	}
	freed := int64(0)
	if !dry && len(lines) > 0 {
		if !yes && !a.ask(ctx, "delete permanently?") {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return assay.WithHint("answer y, or pass --yes", "nothing was deleted")
		}
		if freed, err = a.deleteRuns(ctx, st, lines); err != nil {
			return err
		}
	}
	if a.format == formatJSON {
		return a.stdout.json(map[string]any{"runs": lines, "bytes": total, "pinned": pinned, "deleted": !dry && len(lines) > 0, "freed": freed})
	}
	err = a.stdout.say("deleted %s; the database is %s smaller\n", prose.Plural(len(lines), "run"), report.Bytes(freed))
	return err
}

// deleteRuns deletes runs and returns by how many bytes the database shrank.
func (a *app) deleteRuns(ctx context.Context, st *store.Store, lines []pruneLine) (int64, error) {
	for i, l := range lines {
		if err := st.Delete(ctx, l.ID); err != nil {
			return 0, fmt.Errorf("%d of %s deleted: %w", i, prose.Plural(len(lines), "run"), err)
		}
	}
	freed, err := st.Compact(ctx)
	if errors.Is(err, assay.ErrBusy) || errors.Is(err, assay.ErrNoSpace) || errors.Is(err, store.ErrNoCompact) {
		a.stderr.say("deleted the runs, but could not shrink the database (later runs reuse the space): %v\n", err)
		return 0, nil
	}
	return freed, err
}

func (a *app) printPruned(lines []pruneLine, total int64, pinned, all int) error {
	if pinned > 0 {
		a.stderr.say("%s pinned and kept\n", prose.Plural(pinned, "run"))
	}
	if len(lines) == 0 {
		err := a.stdout.say("nothing to delete among %s\n", prose.Plural(all, "run"))
		return err
	}
	var rows [][]string
	for _, l := range lines {
		rows = append(rows, []string{l.ID, l.Suite, l.Started.Format(time.DateOnly), report.Bytes(l.Bytes)})
	}
	if err := render(a.stdout.to, block.Document{Blocks: block.Blocks{block.Texts([]string{"run", "suite", "started", "size"}, rows)}}, a.format); err != nil {
		return err
	}
	err := a.stdout.say("%s of %d to delete, about %s\n", prose.Plural(len(lines), "run"), all, report.Bytes(total))
	return err
}
