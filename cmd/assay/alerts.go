package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/prose"
	"assay/inventory/cluster"
	"assay/monitoring/alerts"
	"assay/run/session"
)

// alertFiles are the files that assay alerts writes.
type alertFiles struct{ cluster, run, rules, tests, route, dashboard string }

func (a *app) alertsCommand() *cobra.Command {
	var f alertFiles
	cmd := &cobra.Command{
		Use:   "alerts -i CLUSTER.yaml",
		Short: "Write Prometheus alert rules for the storage of a cluster",
		Long: "alerts writes Prometheus rules for what a cluster has: its hosts, drives, links,\n" +
			"ZFS pools, md arrays, Ceph, Longhorn, DRBD, etcd and kubelets. Thresholds come\n" +
			"from the newest run of that cluster (or --run), and each rule gives its reason.\n" +
			"assay starts nothing and asks no host.\n\n" +
			"--tests also writes two unit tests for each rule, one that fires and one that\n" +
			"stays quiet, for promtool test rules. --dashboard writes a Grafana dashboard of\n" +
			"what assay watch measures: each figure against what it was in the run.",
		Example: "  assay alerts -i cluster.yaml -o rules.yaml --tests rules_test.yaml\n  assay alerts -i cluster.yaml --run nightly-base -o rules.yaml --route alertmanager.yml\n  assay alerts -i cluster.yaml -o rules.yaml --dashboard grafana.json",
		Args:    exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case f.cluster == "":
				return usage(assay.WithHint("assay alerts -i cluster.yaml; create one with assay init", "alerts needs a cluster.yaml"))
			case f.tests != "" && (f.rules == "" || f.rules == "-"):
				return usage(assay.WithHint("add -o rules.yaml", "--tests needs a file of rules to test"))
			}
			return a.alerts(cmd.Context(), f)
		},
	}
	cmd.Flags().StringVarP(&f.cluster, "inventory", "i", "", "cluster.yaml of the cluster")
	cmd.Flags().StringVar(&f.run, "run", "", "run with the baseline (default: the newest of this cluster)")
	cmd.Flags().StringVarP(&f.rules, "output", "o", "", "file to write the rules to (default: stdout)")
	cmd.Flags().StringVar(&f.tests, "tests", "", "also write unit tests of the rules to this file")
	cmd.Flags().StringVar(&f.route, "route", "", "also write an example of Alertmanager's configuration to this file")
	cmd.Flags().StringVar(&f.dashboard, "dashboard", "", "also write a Grafana dashboard of what assay watch measures to this file")
	return cmd
}

func (a *app) alerts(ctx context.Context, f alertFiles) error {
	c, err := session.ReadCluster(f.cluster)
	if err != nil {
		return err
	}
	run, err := a.baseline(ctx, f, c)
	if err != nil {
		return err
	}
	about := "Alert rules for " + filepath.Base(f.cluster) + ", by assay alerts.\n"
	if run == nil {
		a.stderr.say("note: no run of %s is stored: rules based on facts and figures are missing\nhint: measure it first: assay run -i %s --suite cluster\n", f.cluster, f.cluster)
		about += "No run of this cluster is stored, so rules that need its facts or figures are left out."
	} else {
		about += fmt.Sprintf("Baseline: run %s of %s.\n", run.ID, run.Started.UTC().Format("2006-01-02 15:04 UTC"))
		about += "Rules that name a host expect its name or address as the label instance, with or without a port."
	}
	of := alerts.Of(c, run)
	rules := of.Rules()
	to := *a
	for _, file := range []struct {
		name  string
		wants bool
		write func(io.Writer) error
	}{
		{f.dashboard, f.dashboard != "", func(w io.Writer) error { return of.Dashboard(w, clusterName(f.cluster)) }},
		{f.rules, true, func(w io.Writer) error { return alerts.Write(w, rules, about) }},
		{f.tests, f.tests != "", func(w io.Writer) error {
			return alerts.WriteTests(w, rules, fromThere(f.tests, f.rules), "Run with: promtool test rules "+filepath.Base(f.tests))
		}},
		{f.route, f.route != "", func(w io.Writer) error { _, err := io.WriteString(w, alerts.Route); return err }},
	} {
		to.file = file.name
		if file.wants {
			if err := to.output(file.write); err != nil {
				return err
			}
		}
	}
	if f.rules != "" && f.rules != "-" {
		a.stderr.say("%s: %s\n", f.rules, prose.Plural(len(rules), "rule"))
	}
	return nil
}

// clusterName returns a cluster's name: that of its file, or of the directory of a
// cluster.yaml.
func clusterName(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if whole, err := filepath.Abs(file); name == "cluster" && err == nil {
		return filepath.Base(filepath.Dir(whole))
	}
	return name
}

// fromThere returns a file's path relative to another file, as promtool reads it.
func fromThere(from, to string) string {
	there, err := filepath.Rel(filepath.Dir(from), to)
	if err != nil {
		return to
	}
	return there
}

// baseline returns the requested run, else the newest finished run of the same
// cluster.yaml; nil if there is none.
func (a *app) baseline(ctx context.Context, f alertFiles, c cluster.Cluster) (*assay.Run, error) {
	if f.run != "" {
		run, err := a.loadRun(ctx, []string{f.run})
		return &run, err
	}
	file, err := filepath.Abs(f.cluster)
	if err != nil {
		return nil, err
	}
	st, err := a.openStore(ctx)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	all, err := st.Runs(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range all {
		known := len(c.Hosts) == 0 || slices.ContainsFunc(one.Hosts, func(host string) bool { return c.Host(host) != nil })
		if !known || one.Imported || one.Status != assay.RunDone && one.Status != assay.RunPartial {
			continue // loading a run takes time
		}
		run, err := st.Load(ctx, one.ID)
		switch {
		case errors.Is(err, assay.ErrNotFound):
			continue
		case err != nil:
			return nil, err
		case run.Inventory.File == file:
			run = audited(run)
			return &run, nil
		}
	}
	return nil, nil
}
