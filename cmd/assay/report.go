package main

import (
	"io"

	"github.com/spf13/cobra"

	"assay/report"
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
			d := report.Build(r)
			return a.output(func(w io.Writer) error { return a.voice(w, d, a.format) })
		},
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of --format json and end")
	return cmd
}

// voice prints a document in one of the formats.
func (a *app) voice(w io.Writer, d report.Document, format string) error {
	switch format {
	case formatJSON:
		return reportjson.Write(w, d)
	case formatMarkdown:
		return markdown.Write(w, d)
	case formatHTML:
		return html.Write(w, d)
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
	return to.output(func(w io.Writer) error { return a.voice(w, d, format) })
}
