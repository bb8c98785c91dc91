package main

import (
	"io"

	"github.com/spf13/cobra"

	"assay"
	"assay/report"
	reportcsv "assay/report/csv"
	"assay/report/html"
	reportjson "assay/report/json"
	"assay/report/markdown"
	"assay/report/term"
)

func (a *app) reportCommand() *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:     "report [RUN]",
		Short:   "Print or write the report of a run (by default the last)",
		Example: "  assay report latest --format html -o report.html\n  assay report --format markdown",
		Args:    exactly(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema {
				_, err := a.stdout.Write(reportjson.Schema())
				return err
			}
			r, err := a.loadRun(cmd.Context(), args)
			if err != nil {
				return err
			}
			return a.report(r)
		},
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of --format json and end")
	return cmd
}

// report prints the report of a run, or writes it to the file that -o names.
func (a *app) report(r assay.Run) error {
	d := report.Build(r)
	return a.output(func(w io.Writer) error { return inVoice(w, d, a.format) })
}

// inVoice prints the report of a run in one of the formats.
func inVoice(w io.Writer, d report.Document, format string) error {
	switch format {
	case formatJSON:
		return reportjson.Write(w, d)
	case formatMarkdown:
		return markdown.Render(w, report.Blocks(d))
	case formatHTML:
		return html.Write(w, d)
	case formatCSV:
		return reportcsv.Render(w, report.Blocks(d))
	default:
		width, _ := terminal(w)
		return term.Write(w, d, term.Options{Width: width, Color: colour(w)})
	}
}

// writeReport writes a run's report as the ending of the file asks.
func (a *app) writeReport(d report.Document, file string) error {
	format, err := formatOf(file)
	if err != nil {
		return err
	}
	to := *a
	to.file = file
	return to.output(func(w io.Writer) error { return inVoice(w, d, format) })
}
