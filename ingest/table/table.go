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
	// Results are foreign: Trial.Repeats is 0, and every measurement has the
	// Line on which it stands and the settings of its row as labels. The label
	// varies names the settings in which rows of a comparison differ on purpose.
	Results []assay.Result
	Unread  []Unread
	// Printed are the tables as they stand in a text, in their order.
	Printed []Printed
}

// Unread is what looks like a figure and was not read.
type Unread struct {
	Line int // from 1
	Why  string
}

// Read reads a table: YAML where name ends so, CSV (comma, semicolon or tab)
// where it ends in csv or tsv, and tables in running text otherwise. name
// stands at the head of every error, with the line after it.
// assay.ErrNoOutput where there is no table in it.
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

// fault is an error that says where: name:line or name:line:column.
func fault(name string, line, column int, format string, args ...any) error {
	at := fmt.Sprintf("%s:%d", name, line)
	if column > 0 {
		at += fmt.Sprintf(":%d", column)
	}
	return fmt.Errorf("%s: %w", at, fmt.Errorf(format, args...))
}
