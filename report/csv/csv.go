// Package csv writes the cells of a document for spreadsheets and scripts: one
// record per cell, as in RFC 4180. Anything that is not a cell (sentences,
// plots) is left out.
package csv

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/internal/lazyregexp"
	"assay/report/block"
)

// header names the fields. Values are in base units, with all their digits.
var header = []string{
	"section", "table", "row", "column", "host", "text", "metric", "value", "unit", "low", "high", "level", "n", "rejected", "footnotes",
}

// Render writes the whole document. The error is w's.
func Render(w io.Writer, d block.Document) error {
	out := &writer{csv: csv.NewWriter(w)}
	out.csv.UseCRLF = true
	_ = out.csv.Write(header) // Error has it
	out.blocks(d.Printable().Blocks)
	out.csv.Flush()
	return out.csv.Error()
}

type writer struct {
	csv     *csv.Writer
	section string
}

func (w *writer) blocks(all block.Blocks) {
	for _, b := range all {
		switch b := b.(type) {
		case block.Heading:
			w.section = b.Text
		case block.Table:
			w.table(b)
		case block.Matrix:
			w.table(b.Table())
		case block.Links:
			for _, way := range b.Ways {
				w.cell(b.Title, way.From, way.To, block.Cell{Text: way.Text, Figure: &block.Figure{Metric: "share", Value: way.Share, Low: way.Share, High: way.Share}})
			}
		case block.Values:
			for _, g := range b.Groups {
				for _, v := range g.Items {
					w.cell("", g.Title, v.Name, v.Cell)
				}
			}
		case block.Bars:
			if b.Told {
				continue
			}
			for _, bar := range b.Bars {
				c := bar.Cell
				if c.Absent == nil {
					c.Absent = bar.Absent
				}
				w.cell(b.Title, bar.Group, bar.Title, c)
			}
		case block.Intervals:
			if !b.Told {
				for _, r := range b.Rows {
					w.cell(b.Title, r.Title, r.Key, block.Cell{Text: r.Text, Figure: &block.Figure{Value: r.At, Low: r.Low, High: r.High}})
				}
			}
		case block.Details:
			w.blocks(b.Blocks)
		}
	}
}

func (w *writer) table(t block.Table) {
	group := ""
	for _, r := range t.Rows {
		if len(r.Cells) == 0 {
			continue
		}
		name := r.Cells[0].Text
		if r.Head {
			group = name
			continue
		}
		if group != "" {
			name = group + ": " + name
		}
		if r.Absent != nil {
			w.cell(t.Title, name, "", block.Cell{Absent: r.Absent})
		}
		for i, c := range r.Cells[1:] {
			column := ""
			if i+1 < len(t.Columns) {
				column = t.Columns[i+1].Heading
			}
			w.cell(t.Title, name, column, c)
		}
	}
}

func (w *writer) cell(table, row, column string, c block.Cell) {
	text := c.Text
	if c.Absent != nil {
		text = strings.Trim(text+": "+c.Absent.Word+": "+c.Absent.Why, ": ")
	}
	if text == "" && c.Figure == nil {
		return
	}
	record := []string{harmless(w.section), harmless(table), harmless(row), harmless(column), "", harmless(text), "", "", "", "", "", "", "", "", ""}
	if f := c.Figure; f != nil {
		record[4], record[6], record[7], record[8] = harmless(f.Host), harmless(f.Metric), f.Value.String(), harmless(f.Unit)
		if f.Level > 0 {
			record[9], record[10], record[11] = f.Low.String(), f.High.String(), block.Number(f.Level).String()
		}
		if f.N > 0 {
			record[12] = strconv.Itoa(f.N)
		}
		record[13] = strconv.FormatBool(f.Rejected)
	}
	var notes []string
	for _, n := range c.Notes {
		notes = append(notes, strconv.Itoa(n))
	}
	record[14] = strings.Join(notes, " ")
	_ = w.csv.Write(record) // Error has it
}

// plainNumber matches text that a spreadsheet may read as a number.
var plainNumber = lazyregexp.New(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// harmless keeps a spreadsheet from reading a text as a formula. Some also accept
// the wide forms of its first character.
func harmless(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if text == "" || !strings.ContainsRune("=+-@＝＋－＠", first) || plainNumber.MatchString(text) {
		return text
	}
	return "'" + text
}
