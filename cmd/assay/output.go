package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/nearest"
	"assay/report/block"
	reportcsv "assay/report/csv"
	"assay/report/html"
	reportjson "assay/report/json"
	"assay/report/markdown"
	"assay/report/term"
)

// The formats of all verbs with results; other verbs have only the first three.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatMarkdown = "markdown"
	formatHTML     = "html"
	formatCSV      = "csv"
)

// The formats of figures, additionally available to verbs that print a run.
const (
	formatOpenMetrics = "openmetrics"
	formatInflux      = "influx"
	formatBenchstat   = "benchstat"
)

// endings maps file extensions to formats.
var endings = map[string]string{
	".html": formatHTML, ".htm": formatHTML, ".md": formatMarkdown, ".markdown": formatMarkdown, ".json": formatJSON, ".csv": formatCSV,
	".txt": formatText, "": formatText,
}

// figureEndings maps file extensions to formats of figures.
var figureEndings = map[string]string{".om": formatOpenMetrics, ".lp": formatInflux, ".bench": formatBenchstat}

// results marks a verb that prints a document: it has -o and all formats.
const results = "results"

// figures marks a verb that prints one run: it also has the formats of figures.
const figures = "figures"

// printing adds -o to verbs that print a document, and returns them.
func (a *app) printing(verbs ...*cobra.Command) []*cobra.Command {
	for _, cmd := range verbs {
		cmd.Flags().StringVarP(&a.file, "output", "o", "", "file to write; unless --format is given, the extension sets the format: .html, .md, .json, .csv, .txt")
		if cmd.Annotations == nil {
			cmd.Annotations = map[string]string{}
		}
		cmd.Annotations[results] = ""
	}
	return verbs
}

// checkFormat determines a verb's output format: from --format, or else from the
// file extension.
func (a *app) checkFormat(cmd *cobra.Command) error {
	known := []string{formatText, formatJSON, formatMarkdown}
	if _, prints := cmd.Annotations[results]; prints {
		known = append(known, formatHTML, formatCSV)
	}
	_, hasFigures := cmd.Annotations[figures]
	if hasFigures {
		known = append(known, formatOpenMetrics, formatInflux, formatBenchstat)
	}
	if !slices.Contains(known, a.format) {
		return usage(assay.WithHint(nearest.Hint(a.format, known), "--format %s: not one of %s", a.format, strings.Join(known, ", ")))
	}
	if a.file == "" || a.file == "-" || cmd.Flags().Changed("format") {
		return nil
	}
	if format := figureEndings[strings.ToLower(filepath.Ext(a.file))]; hasFigures && format != "" {
		a.format = format
		return nil
	}
	var err error
	a.format, err = formatOf(a.file)
	return err
}

// formatOf returns the format for a file's extension.
func formatOf(file string) (string, error) {
	format, known := endings[strings.ToLower(filepath.Ext(file))]
	if !known {
		return "", usage(assay.WithHint("use .html, .md, .json, .csv or .txt", "unknown report format for %q", file))
	}
	return format, nil
}

// show prints a document, or writes it to the file that -o names.
func (a *app) show(d block.Document) error {
	return a.output(func(w io.Writer) error { return render(w, d, a.format) })
}

// output calls write with stdout, or with the file that -o names, which is written
// whole or not at all.
func (a *app) output(write func(io.Writer) error) error {
	if a.file == "" || a.file == "-" {
		return write(a.stdout.to)
	}
	if err := writeWhole(a.file, 0o644, write); err != nil { // a report is for others to read
		return fmt.Errorf("write %s: %w", a.file, err)
	}
	return nil
}

// render renders a document in one of the formats.
func render(w io.Writer, d block.Document, format string) error {
	switch format {
	case formatJSON:
		return reportjson.Render(w, d)
	case formatMarkdown:
		return markdown.Render(w, d)
	case formatHTML:
		return html.Render(w, d)
	case formatCSV:
		return reportcsv.Render(w, d)
	}
	width, _ := terminal(w)
	return term.Render(w, d, term.Options{Width: width, Color: colour(w)})
}
