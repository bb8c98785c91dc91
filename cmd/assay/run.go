package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"assay"
	"assay/plan"
	"assay/report"
	"assay/run/session"
	"assay/store"
)

func (a *app) runCommand() *cobra.Command {
	var wish wishes
	var at where
	var install installWish
	var reportFile, resume, like string
	var labels []string
	var keep bool
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Benchmark this machine and audit the results",
		Example: "  assay run\n  assay run --suite quick --dir /srv --format json\n" +
			"  assay run --only fio --time-budget 30m --report fio.html\n" +
			"  assay run -i cluster.yaml --suite cluster\n  assay run --resume latest\n  assay run --like nightly-base",
		Args: exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if reportFile != "" {
				if err := checkReportFile(reportFile); err != nil {
					return err
				}
			}
			wish.settle(cmd)
			var measured assay.Run
			var err error
			switch {
			case resume != "":
				if err = checkResume(cmd); err == nil {
					measured, err = a.resume(cmd.Context(), resume, at, wish)
				}
			case like != "":
				if err = checkLike(cmd); err == nil {
					measured, err = a.measureLike(cmd.Context(), like, at, wish, labels, keep, install)
				}
			default:
				measured, err = a.measure(cmd.Context(), wish, at, labels, keep, install)
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
	cmd.Flags().StringVar(&reportFile, "report", "", "also write the report to this file: .html, .md, .json, .csv or .txt")
	cmd.Flags().BoolVar(&wish.investigate, "investigate", false, "where several causes are left for a slow host or link, measure what decides, in at most a fifth of the time (default: on for suite cluster as a whole)")
	cmd.Flags().BoolVar(&at.DespiteHealth, "despite-health", false, "measure a Ceph that is not HEALTH_OK, recovers or scrubs; the figures say so")
	cmd.Flags().BoolVar(&keep, "keep", false, "keep what the run creates (files, pods, claims, buckets) until assay cleanup")
	cmd.Flags().StringArrayVar(&labels, "label", nil, "label the run with `NAME=VALUE`, for selections such as label.job=nightly; may be repeated")
	cmd.Flags().StringVar(&resume, "resume", "", "continue this unfinished run: its name, or latest")
	cmd.Flags().StringVar(&like, "like", "", "measure as this run did, to compare with it: same tests, lengths and sizes; its name, or latest")
	return cmd
}

// measure makes a new run.
func (a *app) measure(ctx context.Context, wish wishes, at where, labels []string, keep bool, install installWish) (assay.Run, error) {
	o, err := a.options(wish, at)
	if err != nil {
		return assay.Run{}, err
	}
	if o.Labels, err = labelled(labels); err != nil {
		return assay.Run{}, err
	}
	if err := install.check(at); err != nil {
		return assay.Run{}, err
	}
	if o.Target, err = at.target(); err != nil {
		return assay.Run{}, err
	}
	o.Keep, o.Version, o.Tell = keep, ownVersion(), a.follow()
	o.Install, o.Confirm, o.ConfirmOverwrite, o.ConfirmStop = install.install, a.confirm(install), a.confirmOverwrite, a.confirmStop
	s, err := session.New(o)
	if err != nil {
		return assay.Run{}, err
	}
	if err := s.CheckDirectories(); err != nil {
		return assay.Run{}, errors.Join(err, s.Close(ctx))
	}
	st, err := a.openStore(ctx)
	if err != nil {
		return assay.Run{}, errors.Join(err, s.Close(ctx))
	}
	defer st.Close()
	return a.conduct(ctx, s, st, o)
}

// resume continues a run after a crash, Ctrl-C, or a host that was down.
func (a *app) resume(ctx context.Context, name string, at where, wish wishes) (assay.Run, error) {
	st, err := a.openStore(ctx)
	if err != nil {
		return assay.Run{}, err
	}
	defer st.Close()
	was, err := findRun(ctx, st, name)
	if err != nil {
		return assay.Run{}, err
	}
	o := session.Options{
		Target: session.Target{Cluster: at.Cluster, DespiteHealth: at.DespiteHealth, Overwrite: at.Overwrite}, ConfirmOverwrite: a.confirmOverwrite, ConfirmStop: a.confirmStop,
		Plan: plan.Options{Budget: wish.budget}, Investigate: wish.investigate, Version: ownVersion(), Tell: a.follow(),
	}
	s, err := session.Resume(was, o)
	if err != nil {
		return assay.Run{}, err
	}
	return a.conduct(ctx, s, st, o)
}

// conduct runs a session and reports what it leaves behind.
func (a *app) conduct(ctx context.Context, s *session.Session, st *store.Store, o session.Options) (assay.Run, error) {
	measured, err := s.Run(ctx, st)
	var left []string
	for _, r := range s.Left() {
		left = append(left, session.NameOf(r)+" ("+r.Host+")")
	}
	if len(left) > 0 {
		why := "left behind"
		if o.Keep {
			why = "--keep left"
		}
		a.stderr.say("note: %s %s\n", why, list(left))
		hint := "hint: remove with: assay cleanup"
		if s.Cluster() != "" {
			hint += " -i " + s.Cluster()
		}
		a.stderr.say("%s\n", hint)
	}
	return measured, installed(err)
}

// publish prints the report, and writes it to a file if one is given.
func (a *app) publish(r assay.Run, file string) error {
	d := report.Build(r)
	err := inVoice(a.stdout.to, d, a.format)
	if file != "" {
		if werr := a.writeReport(d, file); werr != nil {
			return errors.Join(err, werr)
		}
		a.stderr.say("report: %s\n", file)
	}
	return err
}

// runStatus returns the exit status of a run that began.
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

// broken reports whether something went wrong: a host was away, something is left behind, one
// of several hosts lacks what others have, or an attempted trial has no number. It outranks a
// rejected number, which says nothing about the rest.
func broken(r assay.Run) bool {
	several := len(r.Inventory.Hosts) > 1
	lost := slices.ContainsFunc(r.Notes, func(n assay.Note) bool { return n.ID == assay.NoteHostGone || n.ID == assay.NoteLeft })
	return lost || r.Inventory.LacksHosts() || slices.ContainsFunc(r.Results, func(result assay.Result) bool {
		if result.Trial.Decides != "" {
			return false
		}
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

// checkReportFile rejects a bad report file before five minutes are spent on
// it.
func checkReportFile(file string) error {
	if _, err := formatOf(file); err != nil {
		return err
	}
	if info, err := os.Stat(file); err == nil && inPlace(info) {
		if err := refuseInPlace(info); err != nil {
			return usage(assay.WithHint(assay.Hint(err), "--report %s: %w", file, err))
		}
		return nil
	}
	dir := filepath.Dir(file)
	f, err := os.CreateTemp(dir, ".assay-report-*")
	if err != nil {
		return usage(assay.WithHint("create the directory, or give another file", "--report %s: cannot write to directory %s", file, dir))
	}
	_ = f.Close()
	return os.Remove(f.Name())
}
