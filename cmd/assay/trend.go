package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/nearest"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/report"
	"assay/report/block"
	"assay/store"
)

func (a *app) trendCommand() *cobra.Command {
	var q store.SeriesQuery
	var since string
	var labels []string
	cmd := &cobra.Command{
		Use:   "trend METRIC",
		Short: "Find the runs at which a metric changed",
		Long: "trend finds change points of METRIC in the history of each trial. Only\n" +
			"comparable runs form a history: same trial, host, settings and conditions;\n" +
			"sizes that assay chose within 10 %, lengths within a factor of two; and what\n" +
			"the audit rejected, but for its scatter, apart from the rest. A history without\n" +
			"a change shows a false one in 1 % of cases. At least ten runs are needed.\n" +
			"Imported runs are left out unless --imported is given.",
		Example: "  assay trend storage.read.iops\n  assay trend storage.write.latency.p99 --case fio/syncwrite-4k --host pve1\n  assay trend storage.read.iops --label job=nightly\n  assay trend net.tcp.throughput --since 2026-10-01 --format json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(assay.WithHint("assay trend storage.read.iops", "%s: no metric given", cmd.CommandPath()))
			}
			return exactly(cobra.MaximumNArgs(1))(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if q.Since, err = day(since); err != nil {
				return err
			}
			if q.Labels, err = labelled(labels); err != nil {
				return err
			}
			if q.Runs < 0 {
				return usage(fmt.Errorf("--runs must not be negative: %d", q.Runs))
			}
			q.Metric = args[0]
			return a.trend(cmd.Context(), q)
		},
	}
	cmd.Flags().StringVar(&q.Host, "host", "", "only results measured on this host")
	cmd.Flags().StringVar(&q.Case, "case", "", "only this probe/case, for example fio/randread-4k")
	cmd.Flags().StringVar(&q.Subject, "subject", "", "only this subject, by name or id")
	cmd.Flags().StringVar(&since, "since", "", "only runs started on or after this date: 2026-10-01, or an RFC 3339 timestamp")
	cmd.Flags().StringArrayVar(&labels, "label", nil, "only runs labelled `NAME=VALUE`; may be repeated")
	cmd.Flags().BoolVar(&q.Imported, "imported", false, "also imported runs")
	cmd.Flags().IntVar(&q.Runs, "runs", 400, "read only this many of the newest runs with the metric; 0 reads all")
	return cmd
}

// day parses a date, as local time if it has no zone; "" is no date.
func day(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if t, err := time.ParseInLocation(time.DateOnly, s, time.Local); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, usage(assay.WithHint("for example 2026-10-01 or 2026-10-01T15:04:05Z", "--since %q: invalid date", s))
	}
	return t, nil
}

func (a *app) trend(ctx context.Context, q store.SeriesQuery) error {
	st, err := a.openStore(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	judgeKilled(ctx, st)
	series, more, err := st.Series(ctx, q)
	if err != nil {
		return err
	}
	if len(series) == 0 {
		if more {
			return usage(assay.WithHint("to read all, pass --runs 0", "none of the newest %d runs with %s matches; there are older ones: %w", q.Runs, q.Metric, assay.ErrNotFound))
		}
		return noSeries(ctx, st, q)
	}
	all, err := trendsOf(q.Metric, series)
	if err != nil {
		return err
	}
	tellApart(all)
	if more {
		a.stderr.say("note: read the newest %d runs with %s; there are older ones\nhint: to read all, pass --runs 0\n", q.Runs, q.Metric)
	}
	d := block.Document{Name: "Trend of " + q.Metric, Data: map[string]any{"metric": q.Metric, "more": more, "series": all}}
	for _, s := range all {
		d.Add(s.blocks()...)
	}
	return a.show(d)
}

// noSeries returns why a query found nothing.
func noSeries(ctx context.Context, st *store.Store, q store.SeriesQuery) error {
	names, err := st.Metrics(ctx)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return usage(assay.WithHint("start one with `assay run`", "no runs stored yet: %w", assay.ErrNotFound))
	}
	if slices.Contains(names, q.Metric) {
		hint := "leave out --host, --case, --subject, --label or --since"
		if !q.Imported {
			hint += "; imported runs count with --imported"
		}
		return usage(assay.WithHint(hint,
			"no run with %s matches: %w", q.Metric, assay.ErrNotFound))
	}
	hint := "stored metrics include " + list(names[:min(len(names), 3)])
	if near := nearest.Name(q.Metric, names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if within := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasPrefix(n, q.Metric) }); len(within) > 0 {
		hint = "stored metrics: " + list(within[:min(len(within), 5)])
	}
	return usage(assay.WithHint(hint, "no run has metric %q: %w", q.Metric, assay.ErrNotFound))
}

// tellApart gives the series of one trial the words that tell them apart.
func tellApart(all []trendSeries) {
	groups := map[string][]int{}
	for i, s := range all {
		groups[s.Trial] = append(groups[s.Trial], i)
	}
	for _, group := range groups {
		seen := map[string]map[string]bool{} // by name: the values in use
		said := func(i int) map[string]string {
			words := maps.Clone(all[i].Settings)
			if words == nil {
				words = map[string]string{}
			}
			maps.Copy(words, all[i].Conditions)
			if s := all[i].Seconds; s > 0 {
				words["seconds"] = strconv.FormatFloat(math.Round(10*s)/10, 'f', -1, 64)
			}
			if all[i].Rejected {
				words["rejected"] = "yes"
			}
			return words
		}
		names := map[string]bool{}
		for _, i := range group {
			for k := range said(i) {
				names[k] = true
			}
		}
		for k := range names {
			seen[k] = map[string]bool{}
			for _, i := range group {
				seen[k][said(i)[k]] = true
			}
		}
		for _, i := range group {
			for _, k := range slices.Sorted(maps.Keys(names)) {
				if v := said(i)[k]; len(seen[k]) > 1 && v != "" {
					all[i].differs = append(all[i].differs, k+"="+v)
				}
			}
		}
	}
}

// blocks shows the history of a series.
func (s trendSeries) blocks() block.Blocks {
	all := block.Blocks{block.Heading{Level: 2, Text: list(append([]string{s.Trial, s.Metric}, s.differs...))}}
	if s.Rejected {
		all = append(all, block.Sentence{Text: "The audit rejected this figure in these runs; why: assay audit " + s.points[len(s.points)-1].Run})
	}
	if len(s.points) > 1 {
		all = append(all, s.history())
	}
	levels := block.Table{Columns: []block.Column{{Heading: "since run"}, {Heading: "started"}, {Heading: "runs"}, {Heading: "level"}, {Heading: "change"}, {Heading: "p"}}}
	for i, g := range s.Segments {
		level := block.Figure{
			Host: s.Host, Metric: s.Metric, Unit: string(s.Unit), N: g.Runs, Level: g.Level,
			Value: block.Number(g.Median), Low: block.Number(g.Low), High: block.Number(g.High),
		}
		row := append(block.Words(g.First, g.Begun.Local().Format("2006-01-02 15:04"), fmt.Sprint(g.Runs)), block.Cell{Text: report.Quantity(s.Metric, g.Median), Figure: &level})
		if i > 0 {
			c := s.Changes[i-1]
			row = append(row, block.Cell{Text: c.words(s.Metric), Is: kindOfChange[c.Verdict]}, block.Cell{Text: report.Amount(c.P, assay.One)})
		}
		levels.Rows = append(levels.Rows, block.Row{Cells: row})
	}
	all = append(all, levels)
	for _, c := range s.Changes {
		text := fmt.Sprintf("%s between runs %s and %s", c.Verdict, c.Before, c.Since)
		if c.Earliest != c.Latest {
			text += fmt.Sprintf("; possibly any run from %s to %s", c.Earliest, c.Latest)
		}
		all = append(all, block.Sentence{Text: text})
	}
	if len(s.Changes) == 0 {
		all = append(all, block.Sentence{Text: s.nothing()})
	}
	return all
}

var kindOfChange = map[string]block.Kind{"better": block.Good, "worse": block.Bad, "higher": block.Doubt, "lower": block.Doubt}

// history plots every run and the levels between the changes.
func (s trendSeries) history() block.Plot {
	unit, scale := quantity.Axis(s.Metric, s.Unit)
	runs := block.Line{Title: "median of each run", Words: prose.Plural(len(s.points), "run"), Breaks: []int{}}
	for i, p := range s.points {
		runs.Points = append(runs.Points, block.Point{block.Number(i + 1), block.Number(scale * p.Value)})
	}
	levels := block.Line{Title: "level", Dashed: true}
	for _, c := range s.found.Changes {
		runs.Breaks = append(runs.Breaks, c.At)
	}
	for _, g := range s.found.Segments {
		level := block.Number(scale * g.Level.Center)
		levels.Points = append(levels.Points, block.Point{block.Number(g.From + 1), level}, block.Point{block.Number(g.To), level})
	}
	return block.Plot{X: block.Axis{Name: "run, oldest first"}, Y: block.Axis{Unit: unit}, Lines: []block.Line{runs, levels}}
}

// nothing says what it means that no change was found.
func (s trendSeries) nothing() string {
	if n := len(s.points); n < leastForTrend {
		return fmt.Sprintf("%s: need at least %d", prose.Plural(n, "run"), leastForTrend)
	}
	return fmt.Sprintf("no change found in %s", prose.Plural(len(s.points), "run"))
}

// leastForTrend is the least number of runs in which a change can be
// significant: ten can be split into two fives in 252 ways.
const leastForTrend = 10
