package main

import (
	"io"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/prose"
	"assay/report"
	"assay/report/block"
	"assay/report/exposition"
)

func (a *app) reportCommand() *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Print or write the report of a run (default: the latest)",
		Long: "report prints the report of a run or writes it to a file. It also exports the\n" +
			"figures for other tools: OpenMetrics text (-o run.om), Influx line protocol\n" +
			"(.lp) and Go benchmarks for benchstat (.bench); see doc/exports.md.",
		Example:     "  assay report latest --format html -o report.html\n  assay report --format markdown\n  assay report latest --format openmetrics",
		Annotations: map[string]string{figures: ""},
		Args:        exactly(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema {
				return a.stdout.lines(report.JSONSchema())
			}
			r, err := a.loadRun(cmd.Context(), args)
			if err != nil {
				return err
			}
			return a.report(r)
		},
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of --format json and exit")
	return cmd
}

// report prints the report of a run, or writes it to the file that -o names.
func (a *app) report(r assay.Run) error {
	switch a.format {
	case formatOpenMetrics:
		return a.output(func(w io.Writer) error { return exposition.OpenMetrics(w, r) })
	case formatInflux:
		return a.output(func(w io.Writer) error { return exposition.Influx(w, r) })
	case formatBenchstat:
		left := 0
		err := a.output(func(w io.Writer) (err error) { left, err = exposition.Benchstat(w, r); return err })
		if left > 0 {
			a.stderr.say("note: left out %s that the audit rejected\n", prose.Plural(left, "figure"))
		}
		return err
	}
	d := report.Build(r)
	return a.output(func(w io.Writer) error { return inVoice(w, d, a.format) })
}

// inVoice prints the report of a run in one of the formats.
func inVoice(w io.Writer, d report.Document, format string) error {
	blocks := report.Blocks(d)
	if format == formatText {
		blocks = withMore(blocks)
	}
	return render(w, blocks, format)
}

// withMore adds commands to try next to the document of a stored run.
func withMore(d block.Document) block.Document {
	if d.Name != "" {
		d.Add(block.Values{Groups: []block.Group{{Title: "more", Items: []block.Value{
			{Cell: block.Cell{Text: "assay show " + d.Name}},
			{Cell: block.Cell{Text: "assay report " + d.Name + " --format html -o assay.html"}},
		}}}})
	}
	return d
}

// writeReport writes a run's report in the file extension's format.
func (a *app) writeReport(d report.Document, file string) error {
	format, err := formatOf(file)
	if err != nil {
		return err
	}
	to := *a
	to.file = file
	return to.output(func(w io.Writer) error { return inVoice(w, d, format) })
}
