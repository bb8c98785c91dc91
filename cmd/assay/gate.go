package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
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
		Short: "Fail where something got slower by more than is allowed",
		Long: "gate holds NEW against BASE, named as for compare, and ends with status 4 where\n" +
			"a figure is worse by more than the limit and the statistics say so: the whole\n" +
			"95 % interval lies beyond the limit, and p, corrected for all figures, is below\n" +
			".05.\n\n" +
			"A figure passes where its whole interval lies within the limit. What is neither\n" +
			"is not decided: the table says about how many more repeats would do, and the\n" +
			"gate stays open unless it is --strict. What cannot be held against BASE is named\n" +
			"and is status 5: missing or failed in NEW, or with too few repeats to ever find\n" +
			"a regression; what was measured with other settings is status 2.",
		Example: "  assay gate nightly-base latest --max-regression 5%\n" +
			"  assay gate base latest --max-regression 'randread-*=10%' --junit gate.xml\n" +
			"  assay gate 'suite=ssd date<2026-11-01 vs suite=ssd date>=2026-11-01' --strict",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.gate(cmd.Context(), args, o) },
	}
	cmd.Flags().StringArrayVar(&o.limits, "max-regression", nil,
		"how much worse a figure may be, as `LIMIT` or NAME=LIMIT of a case or a metric; may be given several times (default 5%)")
	cmd.Flags().StringVar(&o.junit, "junit", "", "also write the verdicts into this `FILE`, as JUnit XML")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "status 4 also where anything is not decided, missing, failed or unlike")
	cmd.Flags().BoolVar(&o.Unlike, "unlike", false, "hold against the base also what was measured with other settings")
	cmd.Flags().BoolVar(&o.All, "all", false, "every figure that has a better and a worse, not only the main one of each trial: p is corrected for all of them, which takes many more repeats")
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
		return usage(assay.WithHint("name a base and what is held against it, with vs between selections", "gate: %d columns where there must be two", len(columns)))
	}
	c := compare.Compare(columns, o.Options)
	g := gate.Judge(c, limits)
	g.NameFailures(columns[1])
	if len(g.Figures) == 0 {
		return usage(nothingCommon(c))
	}
	if unused := limits.Unused(g); len(unused) > 0 {
		return usage(assay.WithHint("a name is a case, probe/case or a metric: `assay show RUN` lists them", "--max-regression: no figure of the gate is called %s", list(unused)))
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

// writeJUnit renders all of it before it opens the file: half a file would be
// read as fewer figures.
func writeJUnit(path string, g gate.Gate, strict bool) error {
	var b bytes.Buffer
	err := g.WriteJUnit(&b, strict, gateTitle, gateReason)
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o644) //nolint:gosec // a CI system reads it as whoever it is
	}
	if err != nil {
		return fmt.Errorf("--junit: %w", err)
	}
	return nil
}

// gateStatus says how the gate ends the program. A regression outweighs what was
// not to be compared, and that what has no figure.
func gateStatus(g gate.Gate, c compare.Comparison, strict bool) error {
	switch {
	case g.Fails(strict):
		return &statusError{exitRegression, nil}
	case g.Count(gate.Unlike) > 0:
		return usage(assay.WithHint("--unlike holds them against the base all the same; what is to be left out says case!=NAME",
			"%s measured with other settings and not held against the base: %s", wereRows(g.Count(gate.Unlike)), strings.Join(unlikeSettings(c), "; ")))
	case g.Count(gate.Missing, gate.Failed, gate.TooFew) > 0:
		return &statusError{exitPartial, nil}
	}
	return nil
}
