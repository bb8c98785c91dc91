package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/report"
	"assay/report/html"
	reportjson "assay/report/json"
	"assay/report/markdown"
	"assay/report/term"
)

func (a *app) reportCommand() *cobra.Command {
	var file string
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
			if file == "" || file == "-" {
				return a.voice(a.stdout, d, a.format)
			}
			if !cmd.Flags().Changed("format") {
				return a.writeReport(d, file)
			}
			return a.writeReportAs(d, file, a.format)
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write; without --format its ending decides: .html, .md, .json, .txt")
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

// formatOf gives the format that a file's ending asks for.
func formatOf(file string) (string, error) {
	switch ending := strings.ToLower(filepath.Ext(file)); ending {
	case ".html", ".htm":
		return formatHTML, nil
	case ".md", ".markdown":
		return formatMarkdown, nil
	case ".json":
		return formatJSON, nil
	case ".txt", "":
		return formatText, nil
	default:
		return "", usage(assay.WithHint("use .html, .md, .json or .txt", "no report format goes with %q", file))
	}
}

func (a *app) writeReport(d report.Document, file string) error {
	format, err := formatOf(file)
	if err != nil {
		return err
	}
	return a.writeReportAs(d, file, format)
}

// writeReportAs writes the whole file or none of it: a reader never sees half a
// report.
func (a *app) writeReportAs(d report.Document, file, format string) error {
	var b bytes.Buffer
	if err := a.voice(&b, d, format); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(file), ".assay-report-*")
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	defer os.Remove(temporary.Name()) // gone already where all went well
	_, err = temporary.Write(b.Bytes())
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Close()) // a report is for others to read
	if err == nil {
		err = os.Rename(temporary.Name(), file) // only what is whole replaces an older one
	}
	if err != nil {
		return fmt.Errorf("write report %s: %w", file, err)
	}
	return nil
}
