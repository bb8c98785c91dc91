package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/audit"
	"assay/plan"
	"assay/report"
	"assay/run"
	"assay/store"
	volumeall "assay/volume/all"
)

func (a *app) runCommand() *cobra.Command {
	var wish wishes
	var at where
	var install installWish
	var reportFile, resume string
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Benchmark this machine and say what to believe",
		Example: "  assay run\n  assay run --suite quick --dir /srv --format json\n" +
			"  assay run --only fio --time-budget 30m --report fio.html\n" +
			"  assay run -i cluster.yaml --suite cluster\n  assay run --resume latest",
		Args: exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if reportFile != "" {
				if err := checkReportFile(reportFile); err != nil {
					return err
				}
			}
			var measured assay.Run
			var err error
			if resume == "" {
				measured, err = a.measure(cmd.Context(), wish, at, install)
			} else if err = checkResume(cmd); err == nil {
				measured, err = a.resume(cmd.Context(), resume, at, wish.budget)
			}
			if measured.ID == "" {
				return err
			}
			if perr := a.publish(measured, reportFile); perr != nil {
				err = errors.Join(err, perr)
			}
			return runStatus(measured, err)
		},
	}
	wish.flags(cmd)
	at.flags(cmd)
	install.flags(cmd)
	cmd.Flags().StringVar(&reportFile, "report", "", "write the report to this file too: .html, .md, .json or .txt")
	cmd.Flags().BoolVar(&at.keep, "keep", false, "leave what was made for the run (files, pods, claims, buckets) until assay cleanup")
	cmd.Flags().StringVar(&resume, "resume", "", "go on with this run, of which something is not done: its name, or latest")
	return cmd
}

// measure makes a new run.
func (a *app) measure(ctx context.Context, wish wishes, at where, install installWish) (measured assay.Run, err error) {
	s, err := wish.load()
	if err != nil {
		return assay.Run{}, err
	}
	at.tiers, at.lasts = s.Tiers, cmp.Or(wish.budget, s.Budget)
	look, err := at.reach()
	if err != nil {
		return assay.Run{}, err
	}
	defer func() { a.leave(ctx, look, &measured) }()
	if err := a.stand(ctx, look); err != nil {
		return assay.Run{}, err
	}
	if err := look.checkDirs(); err != nil {
		return assay.Run{}, err
	}
	if err := a.installTools(ctx, look, s, install); err != nil {
		return assay.Run{}, err
	}
	p, err := wish.make(s, look)
	if err != nil {
		return assay.Run{}, err
	}
	return a.carry(ctx, look, p, nil)
}

// carry carries the plan out, from the claim on the host to the last finding in
// the store: as a new run, or as the rest of before. A run with an empty ID never
// began.
func (a *app) carry(ctx context.Context, look *session, p plan.Plan, before *unfinished) (assay.Run, error) {
	path, err := a.database()
	if err != nil {
		return assay.Run{}, err
	}
	st, err := store.Open(ctx, path)
	if err != nil {
		return assay.Run{}, err
	}
	defer st.Close()

	places := look.places()
	owner, err := store.Self(look.runID)
	if err != nil {
		return assay.Run{}, err
	}
	var notes []assay.Note
	if look.replay != "" {
		// A recording can neither remove anything here nor disturb another run.
		notes = append(notes, assay.Note{ID: "replay", Text: "replayed from " + look.replay + ": nothing was measured now"})
	} else {
		release, unheld, err := a.claim(ctx, st, look, owner)
		if err != nil {
			return assay.Run{}, err
		}
		defer release()
		notes = append(notes, unheld...)
		a.cleanUpAfterOthers(ctx, st, places, look.tried)
	}

	notes = append(notes, look.tierNotes()...)

	head := assay.Run{
		ID: look.runID, Suite: p.Suite, Version: ownVersion(), Started: time.Now(), Status: assay.RunRunning,
		Seed: p.Seed, Budget: p.Budget, Inventory: look.inventory, Notes: notes,
	}
	if before == nil {
		err = st.Begin(ctx, head)
	} else {
		head, err = before.reopen(ctx, st, p, notes)
	}
	if err != nil {
		return assay.Run{}, err
	}
	show := newProgress(a.stderr, a.format, p, look.inventory)
	engine := run.Engine{
		Places: places, Probes: look.probes, Volumes: volumeall.Volumes(),
		Away: look.down, Store: st, Owner: owner, Tell: show.tell, Keep: look.kept(),
	}
	if before != nil {
		engine.Now, engine.Names = look.inventory.Facts, before.deviceNames(look.inventory)
	}
	measured, err := engine.Run(ctx, p, head)
	show.end()
	if measured.Status == assay.RunDone && lacksHosts(measured.Inventory) {
		measured.Status = assay.RunPartial // the others stand
		if serr := st.Finish(context.WithoutCancel(ctx), measured.ID, measured.Status, measured.Elapsed, measured.Notes); serr != nil {
			fmt.Fprintf(a.stderr, "note: the end of the run could not be stored: %v\n", serr)
		}
	}
	measured.Findings = audit.Audit(audit.Of(measured))
	if serr := st.SetFindings(context.WithoutCancel(ctx), measured.ID, measured.Findings); serr != nil {
		fmt.Fprintf(a.stderr, "note: the findings could not be stored: %v\n", serr)
	}
	return measured, err
}

func lacksHosts(inv assay.Inventory) bool {
	return slices.ContainsFunc(inv.Hosts, func(h assay.Host) bool { return h.Absent != nil })
}

// publish prints the report and writes it to a file where one was asked for.
func (a *app) publish(r assay.Run, file string) error {
	d := report.Build(r)
	err := a.voice(a.stdout, d, a.format)
	if file != "" {
		if werr := a.writeReport(d, file); werr != nil {
			return errors.Join(err, werr)
		}
		fmt.Fprintf(a.stderr, "report: %s\n", file)
	}
	return err
}

// runStatus is how a run that began ends the program.
func runStatus(r assay.Run, err error) error {
	code := exitFine
	switch {
	case r.Status == assay.RunInterrupted:
		return &statusError{exitInterrupted, nil}
	case err != nil:
		return err
	case r.Status == assay.RunFailed:
		code = exitFailed
	case broken(r):
		code = exitPartial
	case rejects(r.Findings):
		code = exitRejected
	case r.Status == assay.RunPartial:
		code = exitPartial
	}
	if code == exitFine {
		return nil
	}
	return &statusError{code, nil}
}

// broken says that something went wrong: a host was away, something is left behind, one of several lacks
// what the others have, or what was tried has no number. It outranks a rejected
// number, which says nothing about the rest.
func broken(r assay.Run) bool {
	several := len(r.Inventory.Hosts) > 1
	lost := slices.ContainsFunc(r.Notes, func(n assay.Note) bool { return n.ID == assay.NoteHostGone || n.ID == noteLeft })
	return lost || lacksHosts(r.Inventory) || slices.ContainsFunc(r.Results, func(result assay.Result) bool {
		if absent := result.Trial.Absent; absent != nil {
			return absent.Word == assay.Failed || absent.Word == assay.Unknown && several
		}
		return len(result.Counted()) == 0 && slices.ContainsFunc(result.Repeats, func(rep assay.Repeat) bool { return rep.Outcome == assay.Broke })
	})
}

func rejects(findings []assay.Finding) bool {
	for _, f := range findings {
		if f.Severity == assay.Rejects {
			return true
		}
	}
	return false
}

// checkReportFile refuses a report file before five minutes are spent on it.
func checkReportFile(file string) error {
	if _, err := formatOf(file); err != nil {
		return err
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return usage(assay.WithHint("name a file in it", "--report %s: that is a directory", file))
	}
	dir := filepath.Dir(file)
	f, err := os.CreateTemp(dir, ".assay-report-*")
	if err != nil {
		return usage(assay.WithHint("create the directory, or name another file", "--report %s: nothing can be written in %s", file, dir))
	}
	_ = f.Close()
	return os.Remove(f.Name())
}
