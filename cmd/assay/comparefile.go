package main

import (
	"fmt"
	"io"
	"os"

	"assay/compare"
	"assay/report/html"
)

// showComparison prints a comparison, or writes it to a file: whole or not at all.
func (a *app) showComparison(c compare.Comparison, columns []compare.Column, file, format string) error {
	if file == "" || file == "-" {
		return writeComparison(a.stdout, c, columns, format)
	}
	err := writeWhole(file, func(w io.Writer) error { return writeComparison(w, c, columns, format) })
	if err == nil {
		err = os.Chmod(file, 0o644) //nolint:gosec // a comparison is for others to read
	}
	if err != nil {
		return fmt.Errorf("write comparison %s: %w", file, err)
	}
	return nil
}

func writeComparison(w io.Writer, c compare.Comparison, columns []compare.Column, format string) error {
	switch format {
	case formatJSON:
		return writeJSON(w, c)
	case formatHTML:
		return html.WriteComparison(w, html.Compared{Comparison: c, Curves: compare.Curves(c, columns), Dates: datesOf(columns), Version: ownVersion()})
	}
	return printComparison(w, c, format == formatMarkdown)
}

// datesOf says of each column when its first and its last run began.
func datesOf(columns []compare.Column) []html.Dates {
	all := make([]html.Dates, len(columns))
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
