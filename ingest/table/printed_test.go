package table

import (
	"os"
	"testing"
)

// Every figure of a Markdown table is in the cell that it was read from.
func TestPrintedTablesSayWhereTheFiguresStand(t *testing.T) {
	text, err := os.ReadFile("testdata/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	all := Blog(text)
	if len(all.Printed) != 9 {
		t.Fatalf("%d tables", len(all.Printed))
	}
	p := all.Printed[1]
	if p.Line != 23 || p.Caption != "Random 4K I/O" || len(p.Rows) != 4 || len(p.Read) != 8 {
		t.Fatalf("table: %+v", p)
	}
	for _, c := range p.Read {
		if cell := p.Rows[c.Row].Cells[c.Column]; cell == "427k" {
			m := all.Results[c.Result].Repeats[0].Measurement(c.Metric)
			if c.Metric != "storage.read.iops" || m == nil || m.Value != 427e3 || m.Line != p.Rows[c.Row].Line {
				t.Errorf("427k is %s of %+v", c.Metric, m)
			}
			return
		}
	}
	t.Error("427k is in no cell")
}

func TestPrintedCSVSaysWhereTheFiguresStand(t *testing.T) {
	text, err := os.ReadFile("testdata/comma.csv")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Read("comma.csv", text)
	if err != nil {
		t.Fatal(err)
	}
	p := all.Printed[0]
	for _, c := range p.Read {
		if p.Header[c.Column] != "value" {
			t.Errorf("a figure stands under %q", p.Header[c.Column])
		}
		for _, rep := range all.Results[c.Result].Repeats {
			if m := rep.Measurement(c.Metric); m != nil && m.Line == p.Rows[c.Row].Line {
				return
			}
		}
	}
	t.Errorf("no figure stands on its line: %+v", p)
}
