package table

import (
	"fmt"
	"path/filepath"
	"strings"

	"assay"
)

// Table is what one document publishes.
type Table struct {
	Title  string
	Source string                 // where it was published
	Facts  map[string]assay.Facts // by host
	// Results are foreign: Trial.Repeats is 0, and every measurement has its
	// Line, and the settings of its row as labels. The label varies names the
	// settings that a comparison varies on purpose.
	Results []assay.Result
	Unread  []Unread
	// Printed are the tables as they stand in a text, in order.
	Printed []Printed
}

// Unread is an apparent figure that was not read.
type Unread struct {
	Line int // from 1
	Why  string
}

// Read reads a table: YAML or CSV (comma, semicolon or tab; csv or tsv) by the
// ending of name, and tables in running text otherwise. Every error begins with
// name and the line. It returns assay.ErrNoOutput if there is no table.
func Read(name string, text []byte) (Table, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml":
		return readYAML(name, text)
	case ".csv", ".tsv":
		return readCSV(name, text)
	}
	t := Blog(text)
	if len(t.Results) == 0 && len(t.Unread) == 0 {
		return Table{}, assay.WithHint("a table needs a header that names metrics and units: host,metric,value,unit",
			"%s: no table in it: %w", name, assay.ErrNoOutput)
	}
	return t, nil
}

// fault returns an error with its position: name:line or name:line:column.
func fault(name string, line, column int, format string, args ...any) error {
	at := fmt.Sprintf("%s:%d", name, line)
	if column > 0 {
		at += fmt.Sprintf(":%d", column)
	}
	return fmt.Errorf("%s: %w", at, fmt.Errorf(format, args...))
}
