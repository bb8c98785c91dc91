package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay"
	"assay/inventory/changes"
	"assay/plan"
	"assay/plan/suite"
	"assay/store"
)

// unfinished is a run to be gone on with: what it has, and what of that is to be
// made again.
type unfinished struct {
	run  assay.Run
	drop map[string][]int // repeats, by trial
}

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

// resume goes on with a run after a crash, Ctrl-C, or a host that was away.
func (a *app) resume(ctx context.Context, name string, at where, budget time.Duration) (measured assay.Run, err error) {
	was, err := a.loadRun(ctx, []string{name})
	if err != nil {
		return assay.Run{}, err
	}
	if was.Status == assay.RunRunning {
		return assay.Run{}, assay.WithHint("wait until it has ended", "--resume %s: the run is still going: %w", was.ID, assay.ErrBusy)
	}
	s, err := suite.Load(was.Suite)
	if err != nil {
		return assay.Run{}, usage(fmt.Errorf("--resume %s: its suite: %w", was.ID, err))
	}
	if err := at.lookAgain(was); err != nil {
		return assay.Run{}, err
	}
	// Nothing is asked of any host where nothing is left to do.
	p, drop, err := plan.Again(was, s, budget)
	if errors.Is(err, plan.ErrNothingLeft) && lacksHosts(was.Inventory) {
		return assay.Run{}, usage(assay.WithHint("a host that was down when it began is not in it: measure that with assay run -i FILE --host NAME",
			"--resume %s: %w", was.ID, err))
	}
	if err != nil {
		return assay.Run{}, usage(fmt.Errorf("--resume %s: %w", was.ID, err))
	}
	at.tiers, at.lasts = s.Tiers, p.Budget
	look, err := at.reach()
	if err != nil {
		return assay.Run{}, err
	}
	defer func() { a.leave(ctx, look, &measured) }()
	if err := a.stand(ctx, look); err != nil {
		return assay.Run{}, err
	}
	if changed := changes.Between(was.Inventory, look.inventory); len(changed) > 0 {
		return assay.Run{}, usage(assay.WithHint("start a new run: figures from before and after cannot stand in one",
			"--resume %s: since then something has changed: %s", was.ID, strings.Join(changed, "; ")))
	}
	for i, t := range p.Trials {
		p.Trials[i] = look.readdress(t)
	}
	return a.carry(ctx, look, p, &unfinished{was, drop})
}

// readdresser is a probe whose trials hold addresses of hosts.
type readdresser interface {
	Readdress(t assay.Trial, inv assay.Inventory) assay.Trial
}

// readdress gives a trial of before with the addresses of now: those of pods are
// others each time.
func (s *session) readdress(t assay.Trial) assay.Trial {
	for _, p := range s.probes {
		if r, is := p.(readdresser); is && p.Spec().Name == t.Probe {
			return r.Readdress(t, s.inventory)
		}
	}
	return t
}

// lookAgain makes at say what it said when the run began.
func (w *where) lookAgain(was assay.Run) error {
	w.resumed = was.ID
	if w.cluster == "" {
		w.cluster = was.Inventory.File
	}
	if w.cluster != "" {
		if w.measured = was.Inventory.Tiers; len(w.measured) == 0 {
			for _, h := range was.Inventory.Hosts {
				w.only = append(w.only, h.Name)
			}
		}
		if _, err := os.Stat(w.cluster); errors.Is(err, fs.ErrNotExist) {
			return usage(assay.WithHint("say where it is now with -i", "--resume %s: its cluster.yaml was %s, which is not there", was.ID, w.cluster))
		}
		return nil
	}
	w.dirs = nil
	for _, s := range was.Inventory.Of(assay.KindDirectory) {
		w.dirs = append(w.dirs, s.Name)
	}
	return nil
}

// deviceNames are what the run calls the block devices of its hosts, by what they
// are called now.
func (u *unfinished) deviceNames(now assay.Inventory) map[string]map[string]string {
	all := map[string]map[string]string{}
	for host, is := range now.Facts {
		all[host] = changes.DeviceNames(u.run.Inventory.Facts[host], is)
	}
	return all
}

// stale are the notes that are about how the run ended before.
var stale = []string{"budget", assay.NoteHostGone, "killed", "lease", "scratch", "resumed", noteLeft}

// reopen gives the head of the run that goes on.
func (u *unfinished) reopen(ctx context.Context, st *store.Store, p plan.Plan, more []assay.Note) (assay.Run, error) {
	if err := st.Reopen(ctx, u.run.ID, u.drop); err != nil {
		return assay.Run{}, err
	}
	head, err := st.Load(ctx, u.run.ID)
	if err != nil {
		return assay.Run{}, err
	}
	had := 0
	for i, r := range head.Results {
		head.Results[i].Trial.Settings = p.Trials[i].Settings
		had += len(r.Repeats)
	}
	head.Elapsed = u.elapsed()
	head.Budget = head.Elapsed + p.Budget
	head.Notes = slices.DeleteFunc(head.Notes, func(n assay.Note) bool {
		return slices.Contains(stale, n.ID) || slices.Contains(more, n)
	})
	head.Notes = append(head.Notes, assay.Note{ID: "resumed", Text: fmt.Sprintf(
		"gone on with after %s: %s from before, %d to come", head.Elapsed.Round(time.Second), plural(had, "repeat"), len(p.Schedule))})
	head.Notes = append(head.Notes, more...)
	return head, nil
}

// elapsed is how long the run had taken; where it was killed, up to the end of
// the last repeat that it stored.
func (u *unfinished) elapsed() time.Duration {
	if u.run.Elapsed > 0 {
		return u.run.Elapsed
	}
	var longest time.Duration
	for _, r := range u.run.Results {
		for _, rep := range r.Repeats {
			longest = max(longest, rep.Started.Add(rep.Elapsed).Sub(u.run.Started))
		}
	}
	return longest
}
