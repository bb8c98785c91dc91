package ingest

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay"
	"assay/ingest/table"
	"assay/ingest/userfacts"
)

// Table is a table published in a file.
type Table struct {
	table.Printed
	File string

	ids []string // of its results
}

// ID returns the ID of the result that a cell's figure belongs to.
func (t Table) ID(c table.ReadCell) string { return t.ids[c.Result] }

// mostPlain bounds the running text searched for tables, in bytes.
const mostPlain = 1 << 20

// plain keeps the lines that belong to no output, at their line numbers, so
// that tables in running text can be read once all of it is there.
type plain struct {
	text  []byte
	lines int
}

func (p *plain) add(line int, text string) {
	if len(p.text)+len(text) > mostPlain || line-p.lines > mostPlain {
		return
	}
	for p.lines++; p.lines < line; p.lines++ {
		p.text = append(p.text, '\n')
	}
	p.text = append(append(p.text, text...), '\n')
}

// IsTable reports whether a file is a published table: by its name or, if the
// name says nothing, by its first line that is not a comment.
func IsTable(name string, head []byte) bool {
	return tableName(name, head) != ""
}

// tableName returns the name by which package table detects the format.
func tableName(name string, head []byte) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml":
		return name
	case ".csv", ".tsv":
		if beginsWithWord(head) && !ofElbencho(head) {
			return name
		}
		return "" // tool output
	}
	for line := range strings.Lines(string(head)) {
		line = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")))
		switch {
		case line == "" || strings.HasPrefix(line, "#") || line == "---":
			continue
		case strings.HasPrefix(line, "title:") || strings.HasPrefix(line, "rows:") || strings.HasPrefix(line, "facts:"):
			if frontMatter(head) {
				return "" // of a blog
			}
			return name + ".yaml"
		case strings.Contains(line, "metric") && strings.Contains(line, "value") && strings.ContainsAny(line, ",;\t"):
			return name + ".csv"
		}
		return ""
	}
	return ""
}

// ofElbencho reports whether a file is elbencho's results file: tool output, though a
// header names its columns.
func ofElbencho(head []byte) bool { return bytes.HasPrefix(head, []byte("ISO date,label,")) }

// beginsWithWord reports whether the first line that is not a comment begins with
// a letter, as a header does: tool output begins with a number or a time zone.
func beginsWithWord(head []byte) bool {
	for line := range strings.Lines(string(head)) {
		if line = strings.Trim(line, " \t\r\n\ufeff\"'"); line != "" && line[0] != '#' {
			first, _ := utf8.DecodeRuneInString(line)
			return unicode.IsLetter(first)
		}
	}
	return true
}

// frontMatter reports whether a text begins with a settings block between two
// lines of dashes, as Markdown pages do.
func frontMatter(head []byte) bool {
	lines := strings.Split(strings.ReplaceAll(string(head), "\r", ""), "\n")
	return strings.TrimPrefix(lines[0], "\ufeff") == "---" && slices.Contains(lines[1:], "---")
}

// ReadTable reads a published table, in CSV or YAML.
func (r *Reading) ReadTable(file string, text []byte) error {
	t, err := table.Read(tableName(file, text), text)
	if err != nil {
		return err
	}
	if len(t.Results) == 0 {
		return fmt.Errorf("%s: %w", file, ErrNothing)
	}
	r.addTable(file, t)
	if r.KeepTexts {
		kept := Text{File: file}
		for line := range bytes.Lines(text) {
			kept.add(bytes.TrimSuffix(line, []byte("\n")))
		}
		r.Texts = append(r.Texts, kept)
	}
	return nil
}

// addTable adds the contents of a table. Its comparisons are scoped to this
// file.
func (r *Reading) addTable(file string, t table.Table) {
	for host, known := range t.Facts {
		if r.Facts == nil {
			r.Facts = map[string]assay.Facts{}
		}
		r.Facts[host] = userfacts.Merge(r.Facts[host], known)
	}
	ids := make([]string, len(t.Results))
	for i, res := range t.Results {
		line := 0
		for _, m := range res.Repeats[0].Measurements {
			if line == 0 || m.Line < line {
				line = m.Line
			}
		}
		title := res.Trial.Title
		if subject := res.Repeats[0].Measurements[0].Labels["subject"]; subject != "" {
			title = subject + ": " + title
		}
		res.Trial.From = place(file, line)
		res.Trial.ID, res.Trial.Title = r.id(res.Trial.From+" "+strings.TrimSpace(res.Trial.Subject.Host+" "+title)), title
		ids[i] = res.Trial.ID
		if res.Trial.Comparison != "" {
			res.Trial.Comparison = file + ": " + res.Trial.Comparison
		}
		r.Items = append(r.Items, Item{Result: res, File: file, Line: line})
	}
	for _, p := range t.Printed {
		r.Tables = append(r.Tables, Table{Printed: p, File: file, ids: ids})
	}
	for _, u := range t.Unread {
		r.Unread = append(r.Unread, Unread{File: file, Line: u.Line, Why: u.Why})
	}
}
