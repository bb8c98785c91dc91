package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay"
	"assay/plan"
	"assay/run/session"
	"assay/store"
)

// withResume are the flags allowed with --resume: the run has its own suite,
// cases, seed and directories.
var withResume = []string{"resume", "investigate", "inventory", "overwrite", "despite-health", "time-budget", "report", "format", "output", "db"}

func checkResume(cmd *cobra.Command) error {
	return onlyWith(cmd, "resume", withResume, "leave it out: the run continues as planned")
}

// withLike are the flags allowed with --like: the plan is the earlier run's, the run
// is a new one.
var withLike = []string{"like", "investigate", "inventory", "overwrite", "despite-health", "time-budget", "seed", "label", "keep", "install-tools", "yes", "verbose", "report", "format", "output", "db"}

func checkLike(cmd *cobra.Command) error {
	return onlyWith(cmd, "like", withLike, "leave it out: the plan is that of the earlier run")
}

// onlyWith rejects flags that are not in with.
func onlyWith(cmd *cobra.Command, name string, with []string, hint string) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && !slices.Contains(with, f.Name) {
			err = usage(assay.WithHint(hint, "--%s and --%s are mutually exclusive", name, f.Name))
		}
	})
	return err
}

// measureLike makes a new run with the plan of an earlier one.
func (a *app) measureLike(ctx context.Context, name string, at where, wish wishes, labels []string, keep bool, install installWish) (assay.Run, error) {
	called, err := labelled(labels)
	if err != nil {
		return assay.Run{}, err
	}
	st, err := a.openStore(ctx)
	if err != nil {
		return assay.Run{}, err
	}
	defer st.Close()
	o := session.Options{
		Labels: called,
		Target: session.Target{Cluster: at.Cluster, DespiteHealth: at.DespiteHealth, Overwrite: at.Overwrite}, Plan: plan.Options{Budget: wish.budget, Seed: wish.seed},
		ConfirmOverwrite: a.confirmOverwrite, ConfirmStop: a.confirmStop,
		Keep: keep, Investigate: wish.investigate, Version: ownVersion(), Tell: a.follow(), Install: install.install, Confirm: a.confirm(install),
	}
	s, err := likeRun(ctx, st, name, o)
	if err != nil {
		return assay.Run{}, err
	}
	if err := s.CheckDirectories(); err != nil {
		return assay.Run{}, errors.Join(err, s.Close(ctx))
	}
	return a.conduct(ctx, s, st, o)
}

// likeRun creates a session that measures like a stored run.
func likeRun(ctx context.Context, st *store.Store, name string, o session.Options) (*session.Session, error) {
	was, err := findRun(ctx, st, name)
	if err != nil {
		return nil, err
	}
	return session.Like(was, o)
}
