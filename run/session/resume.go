package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"assay"
	"assay/internal/prose"
	"assay/inventory/changes"
	"assay/plan"
	"assay/plan/suite"
	probeall "assay/probe/all"
	"assay/store"
)

// unfinished is a run to be continued: what it has, which of its repeats to
// redo, and the plan for the rest.
type unfinished struct {
	run  assay.Run
	drop map[string][]int // repeats, by trial
	plan plan.Plan
}

// of returns the options with the suite and the target of a finished run. A run in
// progress returns assay.ErrBusy.
func (o Options) of(was assay.Run) (Options, error) {
	if was.Status == assay.RunRunning {
		return o, assay.WithHint("wait until it has finished", "run %s is in progress: %w", was.ID, assay.ErrBusy)
	}
	if err := measurable(was); err != nil {
		return o, err
	}
	var err error
	if o.Suite, err = suiteOf(was); err != nil {
		return o, invalidf("the suite of run %s: %w", was.ID, err)
	}
	// An earlier run never decides which devices may be overwritten, nor whether unhealthy
	// storage is measured.
	overwrite, despite := o.Overwrite, o.DespiteHealth
	o.Target, err = targetOf(was, o.Cluster)
	o.Overwrite, o.DespiteHealth = overwrite, despite
	return o, err
}

// measurable returns an error if a run has a trial of a probe that this assay lacks.
// Figures of other tools have no probe.
func measurable(was assay.Run) error {
	names := map[string]bool{}
	for _, p := range probeall.Probes() {
		names[p.Spec().Name] = true
	}
	for _, r := range was.Results {
		if t := r.Trial; t.From == "" && !names[t.Probe] {
			return invalid(assay.WithHint("use the version of assay that measured it, or start a new run: assay run",
				"run %s, trial %s: this version of assay has no probe %q", was.ID, t.ID, t.Probe))
		}
	}
	return nil
}

// suiteOf returns the suite of an earlier run. The run's trials stand in for its
// cases, so a user's own suite may have been removed.
func suiteOf(was assay.Run) (suite.Suite, error) {
	s, err := suite.Load(was.Suite)
	if errors.Is(err, assay.ErrNotFound) {
		return suite.Suite{Name: was.Suite, Title: was.Suite, Budget: was.Budget, Tiers: len(was.Inventory.Tiers) > 0}, nil
	}
	return s, err
}

// Resume prepares to continue a run after a crash, a cancellation, or a host that
// was away. It contacts no host. The suite, the cases and the order are the run's;
// of o it uses Cluster (where its cluster.yaml is now, if it moved), Overwrite,
// DespiteHealth, Plan.Budget, Version and Tell.
//
// A run in progress returns assay.ErrBusy. Run fails if the machines have changed.
func Resume(was assay.Run, o Options) (*Session, error) {
	o, err := o.of(was)
	if err != nil {
		return nil, err
	}
	before := &unfinished{run: was}
	before.plan, before.drop, err = plan.Again(was, o.Suite, o.Plan.Budget)
	if errors.Is(err, plan.ErrNothingLeft) && was.Inventory.LacksHosts() {
		return nil, invalid(assay.WithHint("a host that was down at the start is not part of the run; measure it with: assay run -i FILE --host NAME",
			"%w", err))
	}
	if err != nil {
		return nil, invalid(err)
	}
	s := newSession(o)
	s.before = before
	// This keeps what this part of the run leaves, if it is killed, apart from what
	// the part before left.
	s.id = was.ID + "+" + s.id[len(s.id)-6:]
	if err := s.reach(); err != nil {
		return nil, err
	}
	return s, nil
}

// targetOf returns the target of a run. file is where its cluster.yaml is now, ""
// for where it was.
func targetOf(was assay.Run, file string) (Target, error) {
	t := Target{Cluster: file}
	if t.Cluster == "" {
		t.Cluster = was.Inventory.File
	}
	if t.Cluster == "" {
		for _, d := range was.Inventory.Of(assay.KindDirectory) {
			t.Directories = append(t.Directories, d.Name)
		}
		return t, nil
	}
	if len(was.Inventory.Tiers) == 0 {
		for _, h := range was.Inventory.Hosts {
			t.Only = append(t.Only, h.Name)
		}
		for _, g := range was.Inventory.Of(assay.KindGuest) {
			t.Only = append(t.Only, g.Name)
		}
		for _, n := range was.Inventory.Networks {
			t.Networks = append(t.Networks, n.Name)
		}
	}
	info, err := os.Stat(t.Cluster)
	if errors.Is(err, fs.ErrNotExist) {
		return t, invalid(assay.WithHint("give its new path with -i", "run %s used cluster.yaml %s, which no longer exists", was.ID, t.Cluster))
	}
	// The file says what is run, where, and with whose keys; anybody may own the
	// database that names it.
	if file == "" && err == nil && !trusted(info) {
		return t, invalid(assay.WithHint("read it, then give it with -i "+t.Cluster, "run %s used cluster.yaml %s, which another user can change", was.ID, t.Cluster))
	}
	return t, nil
}

// trusted reports whether only this user and root can change a file.
func trusted(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (st.Uid == 0 || int(st.Uid) == os.Geteuid()) && info.Mode().Perm()&0o022 == 0
}

// ready returns the rest of the run's plan. It fails if the machines have changed.
func (u *unfinished) ready(s *Session) (plan.Plan, error) {
	changed := changes.Between(u.run.Inventory, s.inventory)
	if len(changed) == 0 {
		changed = u.otherDrives(s.inventory)
	}
	if len(changed) > 0 {
		return plan.Plan{}, invalid(assay.WithHint("start a new run: results from before and after a change cannot be in one run",
			"run %s cannot be resumed because the hosts have changed: %s", u.run.ID, strings.Join(changed, "; ")))
	}
	return u.plan, nil
}

// otherDrives describes drives with trials of their own that are others now. Sticks and
// cards without one may come and go.
func (u *unfinished) otherDrives(now assay.Inventory) (said []string) {
	for _, t := range u.plan.Trials {
		if t.Subject.Kind != assay.KindDrive {
			continue
		}
		host, name := t.Subject.Host, t.Subject.Name
		was, is := u.run.Inventory.Facts[host].Device(name), now.Facts[host].Device(name)
		if was != nil && is != nil && was.Serial != "" && is.Serial != "" && was.Serial != is.Serial {
			said = append(said, fmt.Sprintf("%s: serial number of device %s was %s, is %s", host, name, was.Serial, is.Serial))
		}
	}
	return said
}

// readdresser is a probe whose trials contain addresses of hosts.
type readdresser interface {
	Readdress(t assay.Trial, inv assay.Inventory) assay.Trial
}

// readdress returns an earlier trial with the present addresses: those of pods
// change every time.
func (s *Session) readdress(t assay.Trial) assay.Trial {
	for _, p := range s.probes {
		if r, is := p.(readdresser); is && p.Spec().Name == t.Probe {
			return r.Readdress(t, s.inventory)
		}
	}
	return t
}

// deviceNames maps the present names of the hosts' block devices to those used in
// the run.
func (u *unfinished) deviceNames(now assay.Inventory) map[string]map[string]string {
	all := map[string]map[string]string{}
	for host, is := range now.Facts {
		all[host] = changes.DeviceNames(u.run.Inventory.Facts[host], is)
	}
	return all
}

// stale lists the notes about how the run ended before.
var stale = []string{"budget", assay.NoteHostGone, "killed", "lease", "scratch", "resumed", assay.NoteLeft}

// reopen returns the head of the resumed run.
func (u *unfinished) reopen(ctx context.Context, st *store.Store, p plan.Plan, more []assay.Note) (assay.Run, error) {
	if err := st.Reopen(ctx, u.run.ID, u.drop); err != nil {
		return assay.Run{}, err
	}
	head, err := st.Load(ctx, u.run.ID)
	if err != nil {
		return assay.Run{}, err
	}
	had := 0
	for _, r := range head.Results {
		had += len(r.Repeats)
	}
	if !slices.EqualFunc(head.Results, p.Trials, func(r assay.Result, t assay.Trial) bool { return r.Trial.ID == t.ID }) {
		return assay.Run{}, assay.WithHint("resume it again", "run %s was changed while it was being resumed", u.run.ID)
	}
	head.Elapsed = u.elapsed()
	head.Budget = head.Elapsed + p.Budget
	head.Notes = slices.DeleteFunc(head.Notes, func(n assay.Note) bool {
		return slices.Contains(stale, n.ID) || slices.Contains(more, n)
	})
	head.Notes = append(head.Notes, assay.Note{ID: "resumed", Text: fmt.Sprintf(
		"resumed after %s: %s done, %d to go", head.Elapsed.Round(time.Second), prose.Plural(had, "repeat"), len(p.Schedule))})
	head.Notes = append(head.Notes, more...)
	return head, nil
}

// elapsed returns how long the run had taken; if it was killed, up to the end
// of the last stored repeat.
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
