package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/analysis"
	"assay/report"
	"assay/report/block"
	"assay/run/session"
)

func (a *app) predictCommand() *cobra.Command {
	var file, from, check, add string
	var set []string
	cmd := &cobra.Command{
		Use:   "predict",
		Short: "Say what limits each storage and what a change would bring",
		Long: "predict computes from a run what allows no more of each storage: links, drives,\n" +
			"replicas, latency; and what faster links or drives, drives with power-loss\n" +
			"protection, fewer replicas or more hosts would bring. Names may be patterns.\n" +
			"--check holds a prediction against a later run.",
		Example: "  assay predict\n  assay predict -i cluster.yaml --set 'pve*.nic=10G'\n  assay predict --set tank.drive=PLP --set pool.replicas=2 --add host=pve5\n  assay predict --run before --set pve4.nic=10G --check after",
		Args:    exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			changes, err := parseChanges(set, add)
			if err != nil {
				return err
			}
			if check != "" && len(changes) == 0 {
				return usage(assay.WithHint("--set pve4.nic=10G --check RUN", "--check needs the changes that were made before that run"))
			}
			return a.predict(cmd.Context(), file, from, check, changes)
		},
	}
	cmd.Flags().StringVarP(&file, "inventory", "i", "", "predict from the latest run of this cluster.yaml")
	cmd.Flags().StringVar(&from, "run", "", "predict from this run: its name, or latest")
	cmd.Flags().StringArrayVar(&set, "set", nil, "change `NAME.WHAT=VALUE`: nic=10G, drive=PLP, drive=500MB/s, replicas=2, sync=off; may be repeated")
	cmd.Flags().StringVar(&add, "add", "", "add `host=NAME`, with drives and links like the others'")
	cmd.Flags().StringVar(&check, "check", "", "hold the prediction against this later run")
	return cmd
}

func parseChanges(set []string, add string) (all []analysis.Change, err error) {
	for _, word := range set {
		c, err := analysis.ParseChange(word)
		if err != nil {
			return nil, usage(fmt.Errorf("--set: %w", err))
		}
		all = append(all, c)
	}
	if add != "" {
		name, is := strings.CutPrefix(add, "host=")
		if !is || name == "" {
			return nil, usage(assay.WithHint("--add host=pve5", "--add %q: only a host can be added", add))
		}
		all = append(all, analysis.AddHost(name))
	}
	return all, nil
}

func (a *app) predict(ctx context.Context, file, from, check string, changes []analysis.Change) error {
	base, err := a.baseOf(ctx, file, from)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if !analysis.Touches(base, c) {
			return usage(assay.WithHint("names are of hosts, nodes and tiers: assay show "+base.ID, "--set %s: run %s has nothing that %q names", c, base.ID, c.Of))
		}
	}
	predictions := analysis.Predict(base, changes)
	d := block.Document{Name: "Prediction from " + base.ID, Title: "Prediction from run " + base.ID}
	data := map[string]any{"run": base.ID, "predictions": predictions}
	d.Add(report.PredictionBlocks(predictions)...)
	switch {
	case len(predictions) == 0: // that is said
	case check != "":
		later, err := a.loadRun(ctx, []string{check})
		if err != nil {
			return err
		}
		checked := checkedAgainst(predictions, later)
		data["checked"] = checked
		d.Add(report.OutlookBlocks(changes, predictions)...)
		d.Add(report.CheckBlocks(checked)...)
	case len(changes) > 0:
		d.Add(report.OutlookBlocks(changes, predictions)...)
	default:
		d.Add(report.SuggestionBlocks(analysis.Suggest(base))...)
	}
	d.Data = data
	return a.show(d)
}

// checkedAgainst looks up in a later run what was predicted.
func checkedAgainst(predictions []analysis.Prediction, later assay.Run) (all []report.Checked) {
	measured := analysis.Predict(later, nil)
	for _, p := range predictions {
		i := slices.IndexFunc(measured, func(m analysis.Prediction) bool { return m.Trial == p.Trial && m.Metric == p.Metric })
		if i < 0 || p.Then == nil || p.Then.Unknown != "" {
			continue
		}
		v := measured[i].Now
		all = append(all, report.Checked{Prediction: p, Measured: v, Error: p.Then.Value/v - 1, Inside: p.Then.Low <= v && v <= p.Then.High})
	}
	return all
}

// mostSearched is how many runs are searched for one made from a cluster.yaml.
const mostSearched = 50

// baseOf loads the run to predict from: the named one, else the latest one of the
// cluster.yaml, else the latest.
func (a *app) baseOf(ctx context.Context, file, name string) (assay.Run, error) {
	if name != "" || file == "" {
		var args []string
		if name != "" {
			args = []string{name}
		}
		return a.loadRun(ctx, args)
	}
	if _, err := session.ReadCluster(file); err != nil {
		return assay.Run{}, err
	}
	path, err := filepath.Abs(file)
	if err != nil {
		return assay.Run{}, err
	}
	st, err := a.openStore(ctx)
	if err != nil {
		return assay.Run{}, err
	}
	defer st.Close()
	heads, err := st.Heads(ctx)
	if err != nil {
		return assay.Run{}, err
	}
	for _, h := range heads[:min(len(heads), mostSearched)] {
		r, err := st.Load(ctx, h.ID)
		if err != nil && !errors.Is(err, assay.ErrNotFound) {
			return assay.Run{}, err
		}
		if err == nil && r.Inventory.File == path {
			return audited(r), nil
		}
	}
	return assay.Run{}, usage(assay.WithHint("measure it first: assay run --suite layers -i "+file, "no stored run of %s: %w", file, assay.ErrNotFound))
}
