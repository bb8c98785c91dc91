package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/compare"
	"assay/compare/gate"
)

// gateOptions are the flags of gate.
type gateOptions struct {
	compare.Options
	limits []string
	strict bool
	junit  string
}

func (a *app) gateCommand() *cobra.Command {
	var o gateOptions
	cmd := &cobra.Command{
		Use:   "gate BASE NEW | SELECTION vs SELECTION",
		Short: "Fail if anything got slower by more than a limit",
		Long: "gate compares NEW with BASE, selected as for compare. It exits with status 4 if\n" +
			"a result is significantly worse by more than the limit: its whole 95 % interval\n" +
			"is beyond the limit, and p, corrected for the number of results, is below .05.\n\n" +
			"A result passes if its whole interval is within the limit. Anything else is\n" +
			"undecided: the table estimates how many more repeats would decide it, and the\n" +
			"gate passes unless --strict is given. Results that cannot be compared are listed\n" +
			"and give status 5: missing or failed in NEW, or with too few repeats to ever\n" +
			"show a regression. So does a gate in which nothing could be compared, or 4 with\n" +
			"--strict. Different settings give status 2.",
		Example: "  assay gate nightly-base latest --max-regression 5%\n" +
			"  assay gate base latest --max-regression 'randread-*=10%' --junit gate.xml\n" +
			"  assay gate 'suite=ssd date<2026-11-01 vs suite=ssd date>=2026-11-01' --strict",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.gate(cmd.Context(), args, o) },
	}
	cmd.Flags().StringArrayVar(&o.limits, "max-regression", nil,
		"how much worse a result may be: `LIMIT`, or NAME=LIMIT for a case or metric; may be repeated (default 5%)")
	cmd.Flags().StringVar(&o.junit, "junit", "", "also write the verdicts to this `FILE` as JUnit XML")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "also exit with status 4 if anything is undecided, missing, failed or measured with different settings")
	cmd.Flags().BoolVar(&o.Unlike, "unlike", false, "also compare results measured with different settings")
	cmd.Flags().BoolVar(&o.All, "all", false, "judge every metric that can get better or worse, not only the headline metric of each trial; p is corrected for all of them, which takes many more repeats")
	return cmd
}

func (a *app) gate(ctx context.Context, words []string, o gateOptions) error {
	limits, err := gate.ParseLimits(o.limits)
	if err != nil {
		return usage(err)
	}
	columns, err := a.columns(ctx, words)
	if err != nil {
		return err
	}
	if len(columns) != 2 {
		return usage(assay.WithHint("assay gate BASE NEW, or assay gate SELECTION vs SELECTION", "gate: got %d columns, need 2", len(columns)))
	}
	c := compare.Compare(columns, o.Options)
	g := gate.Judge(c, limits)
	g.NameFailures(columns[1])
	if len(g.Figures) == 0 {
		return usage(nothingCommon(c))
	}
	if unused := limits.Unused(g); len(unused) > 0 {
		return usage(assay.WithHint("give a case, probe/case or metric; list them with `assay show RUN`", "--max-regression: no such case or metric: %s", list(unused)))
	}
	if o.junit != "" {
		if err := writeJUnit(o.junit, g, o.strict); err != nil {
			return err
		}
	}
	if err := a.show(gateDocument(g, o.strict)); err != nil {
		return err
	}
	return gateStatus(g, c, o.strict)
}

// writeJUnit renders everything before it opens the file: a partial file would
// be read as fewer figures.
func writeJUnit(path string, g gate.Gate, strict bool) error {
	var b bytes.Buffer
	err := g.WriteJUnit(&b, strict, gateTitle, gateReason)
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o644) //nolint:gosec // CI may read it as any user
	}
	if err != nil {
		return fmt.Errorf("--junit: %w", err)
	}
	return nil
}

// gateStatus returns the exit status of the gate. A regression outweighs refused
// comparisons, and those outweigh missing figures.
func gateStatus(g gate.Gate, c compare.Comparison, strict bool) error {
	switch {
	case g.Empty():
		code := exitPartial
		if strict {
			code = exitRegression
		}
		why := strings.TrimPrefix(g.Figures[0].Why, "base: ")
		if slices.ContainsFunc(g.Figures, func(f gate.Figure) bool { return f.Why != g.Figures[0].Why }) {
			why = "the table says why"
		}
		return &statusError{code, assay.WithHint("choose another base: list runs with `assay runs`", "no result was compared with the base: %s", why)}
	case g.Fails(strict):
		return &statusError{exitRegression, nil}
	case g.Count(gate.Unlike) > 0:
		return usage(assay.WithHint("to compare them anyway, add --unlike; to leave a case out, add case!=NAME",
			"%s measured with different settings and not compared with the base: %s", wereRows(g.Count(gate.Unlike)), strings.Join(unlikeSettings(c), "; ")))
	case g.Count(gate.Missing, gate.Failed, gate.TooFew) > 0:
		return &statusError{exitPartial, nil}
	}
	return nil
}
