package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/nearest"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/plan"
	"assay/plan/suite"
	probeall "assay/probe/all"
	"assay/report/block"
)

func (a *app) suiteCommand() *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:   "suite",
		Short: "List, show or check suites: what a run measures",
		Long: "A suite is a YAML file: a list of cases, each a test of one probe on one kind of\n" +
			"subject. assay contains several; a file of your own has the same format, may\n" +
			"include others, and makes many cases of a matrix of settings:\n\n" + suiteExample,
		Example: "  assay suite list\n  assay suite show baseline\n  assay suite check mine.yaml\n  assay run --suite mine.yaml",
		Args:    exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if schema {
				_, err := a.stdout.to.Write(suite.Schema())
				return err
			}
			return cmd.Help()
		},
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of a suite and exit")
	cmd.AddCommand(a.printing(a.suiteListCommand(), a.suiteShowCommand(), a.suiteCheckCommand())...)
	return cmd
}

const suiteExample = "  # mine.yaml\n" +
	"  budget: 10m\n" +
	"  include: [quick]\n" +
	"  cases:\n" +
	"  - probe: fio\n" +
	"    name: \"{rw}-{bs}-{iodepth}\"\n" +
	"    title: \"{bs} {rw} at depth {iodepth}\"\n" +
	"    on: directory\n" +
	"    seconds: 5\n" +
	"    matrix: {rw: [randread, randwrite], bs: [4k, 64k], iodepth: [1, 32]}"

// openSuite returns a suite, by name or file, whose cases a machine could run.
func openSuite(word string) (suite.Suite, error) {
	s, err := suite.Open(word)
	if err == nil && suite.IsFile(word) {
		err = plan.Check(s, probeall.Probes())
	}
	switch {
	case err == nil:
		return s, nil
	case suite.IsFile(word) || !errors.Is(err, assay.ErrNotFound):
		return s, usage(err)
	}
	hint := nearest.Hint(word, suite.Names())
	if hint == "" {
		hint = "suites: " + list(suite.Names()) + "; the name of a file ends in .yaml"
	}
	return s, usage(assay.WithHint(hint, "unknown suite %q", word))
}

func (a *app) suiteListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the suites that assay contains",
		Args: exactly(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			all, err := suite.All()
			if err != nil {
				return err
			}
			var rows [][]string
			for _, s := range all {
				rows = append(rows, []string{s.Name, quantity.Span(s.Budget), fmt.Sprint(len(s.Cases)), s.About})
			}
			return a.show(block.Document{
				Name: "Suites", Data: map[string]any{"suites": all},
				Blocks: block.Blocks{block.Texts([]string{"suite", "takes", "cases", "what it does"}, rows)},
			})
		},
	}
}

func (a *app) suiteShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show SUITE", Short: "Show the cases of a suite",
		Example: "  assay suite show baseline\n  assay suite show mine.yaml",
		Args:    exactly(cobra.ExactArgs(1)),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return suite.Names(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := openSuite(args[0])
			if err != nil {
				return err
			}
			return a.showSuite(s)
		},
	}
}

func (a *app) showSuite(s suite.Suite) error {
	return a.show(block.Document{Name: "Suite " + s.Name, Data: s, Blocks: block.Blocks{
		block.Sentence{Text: fmt.Sprintf("%s: %s, %s, %s of each.", s.Name, prose.Plural(len(s.Cases), "case"), quantity.Span(s.Budget), prose.Plural(s.Repeats, "repeat"))},
		block.Texts([]string{"case", "on", "what it measures", "settings"}, caseRows(s)),
	}})
}

func caseRows(s suite.Suite) (rows [][]string) {
	for _, c := range s.Cases {
		var settings []string
		for _, name := range slices.Sorted(maps.Keys(c.Set)) {
			settings = append(settings, name+"="+c.Set[name])
		}
		rows = append(rows, []string{c.Probe + "/" + c.Name, string(c.On), c.Title, strings.Join(append(settings, c.Lend.Words()...), " ")})
	}
	return rows
}

func (a *app) suiteCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use: "check FILE…", Short: "Check suite files without running them",
		Example: "  assay suite check mine.yaml",
		Args:    exactly(cobra.MinimumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			var wrong []error
			var rows [][]string
			for _, word := range args {
				s, err := openSuite(word)
				if err != nil {
					wrong = append(wrong, err)
					continue
				}
				rows = append(rows, []string{word, "valid", prose.Plural(len(s.Cases), "case"), quantity.Span(s.Budget)})
			}
			if len(wrong) > 0 {
				return errors.Join(wrong...)
			}
			return a.show(block.Document{Name: "Suites", Data: map[string]any{"valid": args}, Blocks: block.Blocks{block.Texts([]string{"suite", "", "cases", "takes"}, rows)}})
		},
	}
}
