package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/compare"
	"assay/report/versus"
)

func (a *app) compareCommand() *cobra.Command {
	var o compare.Options
	cmd := &cobra.Command{
		Use:   "compare RUN RUN… | SELECTION vs SELECTION…",
		Short: "Compare runs, hosts or drives, with confidence intervals",
		Long: "compare compares every column with the first. It prints the ratio with its\n" +
			"interval and a verdict: faster, slower, equivalent, or undetermined, with an\n" +
			"estimate of how many more repeats would decide it. A column is a run or a\n" +
			"selection; a selection is a list of conditions that must all hold:\n\n" +
			"  run host suite probe case subject metric   NAME=VALUE[,VALUE…] or NAME!=VALUE,\n" +
			"  label.NAME setting.NAME                    where * matches anything\n" +
			"  date                                       =, <, <=, >, >= 2026-11-01 (UTC)\n" +
			"  imported                                   yes or no\n\n" +
			"A label may be the run's or the host's. Imported runs are left out unless a\n" +
			"column names the run or has a condition imported.\n\n" +
			"Results measured with different settings (block size, queue depth, direct, sync,\n" +
			"size, length) are refused with exit status 2. Differences in what they were\n" +
			"measured on (drive, kernel, versions) are listed.",
		Example: "  assay compare 20261121-2005 latest\n" +
			"  assay compare 20261121-2005 latest -o upgrade.html\n" +
			"  assay compare host=pve1 vs host=pve2 vs host=pve3\n" +
			"  assay compare 20261121-2005 latest case=randread-4k --all\n" +
			"  assay compare 'suite=ssd date<2026-11-01' vs 'suite=ssd date>=2026-11-01'",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.compare(cmd.Context(), args, o)
		},
	}
	cmd.Flags().BoolVar(&o.Unlike, "unlike", false, "also compare results measured with different settings")
	cmd.Flags().BoolVar(&o.All, "all", false, "compare every metric that can get better or worse, not only the headline metric of each trial")
	return cmd
}

func (a *app) compare(ctx context.Context, words []string, o compare.Options) error {
	columns, err := a.columnsFor(ctx, words, need{Options: o, Whole: a.format == formatHTML})
	if err != nil {
		return err
	}
	c := compare.Compare(columns, o)
	if len(c.Rows)+len(c.Refused) == 0 {
		return usage(nothingCommon(c))
	}
	var curves []compare.Curve
	if a.format == formatHTML {
		curves = append([]compare.Curve{}, compare.Curves(c, columns)...)
	}
	if err := a.show(versus.Document(c, curves, datesOf(columns))); err != nil {
		return err
	}
	if len(c.Refused) > 0 {
		return usage(assay.WithHint("to compare them anyway, add --unlike; to leave a case out, add case!=NAME",
			"%s measured with different settings and not compared: %s", wereRows(len(c.Refused)), strings.Join(unlikeSettings(c), "; ")))
	}
	return nil
}

// nothingCommon explains why there are no rows.
func nothingCommon(c compare.Comparison) error {
	hint := "columns are matched by probe, case, metric and kind of subject: see them with `assay show RUN`"
	if len(c.Lone) > 0 {
		first := c.Lone[0]
		hint = fmt.Sprintf("%s of %s: %s", first.Trial, versus.Letter(first.Column), first.Why)
	}
	return assay.WithHint(hint, "the columns have no result in common")
}

// wereRows begins a sentence about rows.
func wereRows(n int) string {
	if n == 1 {
		return "1 result was"
	}
	return fmt.Sprintf("%d results were", n)
}

// unlikeSettings returns the differences in the refused rows, each once.
func unlikeSettings(c compare.Comparison) []string {
	var all []string
	for _, r := range c.Refused {
		for _, d := range r.Settings {
			if text := versus.Difference(d); !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

// datesOf returns when the first and the last run of each column began.
func datesOf(columns []compare.Column) []versus.Dates {
	all := make([]versus.Dates, len(columns))
	for i, column := range columns {
		d := &all[i]
		for _, p := range column.Picks {
			at := p.Run.Started
			if d.First.IsZero() || at.Before(d.First) {
				d.First = at
			}
			if at.After(d.Last) {
				d.Last = at
			}
		}
	}
	return all
}
