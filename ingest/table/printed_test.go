package table

import (
	"fmt"
	"html"
	"os"
	"testing"
)

// Every figure of a Markdown table is in the cell it was read from.
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
	values := map[string]float64{}
	for _, c := range p.Read {
		values[p.Rows[c.Row].Cells[c.Column]] = all.Results[c.Result].Repeats[0].Measurement(c.Metric).Value
	}
	if values["427k"] != 427e3 || values["423k"] != 423e3 {
		t.Errorf("cells hold %v", values)
	}
	stands(t, all)
}

// stands fails unless each figure is in one cell, on its own line.
func stands(t *testing.T, all Table) {
	t.Helper()
	type at struct {
		result, line int
		metric       string
	}
	cells := map[at]int{}
	for _, p := range all.Printed {
		for _, c := range p.Read {
			cells[at{c.Result, p.Rows[c.Row].Line, c.Metric}]++
		}
	}
	for i, res := range all.Results {
		for _, rep := range res.Repeats {
			for _, m := range rep.Measurements {
				if of := (at{i, m.Line, m.Metric}); cells[of] == 1 {
					delete(cells, of)
				} else {
					t.Errorf("%s of line %d is in %d cells", m.Metric, m.Line, cells[of])
				}
			}
		}
	}
	if len(cells) > 0 {
		t.Errorf("no figures for %v", cells)
	}
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
	for _, c := range all.Printed[0].Read {
		if h := all.Printed[0].Header[c.Column]; h != "value" {
			t.Errorf("a figure stands under %q", h)
		}
	}
	stands(t, all)
}

// A table with one column per machine.
func TestPrintedTurnedTablesSayWhereTheFiguresStand(t *testing.T) {
	all := Blog([]byte("| Test | pve1 | pve2 |\n|---|---|---|\n| 4k random read IOPS | 11k | 12k |\n| 4k random write IOPS | 21k | 22k |\n"))
	if len(all.Printed) != 1 || len(all.Printed[0].Read) != 4 {
		t.Fatalf("tables: %+v", all.Printed)
	}
	for _, c := range all.Printed[0].Read {
		want := []float64{11e3, 12e3, 21e3, 22e3}[2*c.Row+c.Column-1]
		if m := all.Results[c.Result].Repeats[0].Measurement(c.Metric); m.Value != want {
			t.Errorf("row %d, column %d: %v, want %v", c.Row, c.Column, m.Value, want)
		}
	}
}

// YAML rows with the same metrics form a table, with what tells them apart in its
// first columns; a lone row does not.
func TestPrintedYAMLSaysWhereTheFiguresStand(t *testing.T) {
	all, err := Read("t.yaml", []byte(`title: Drives
defaults: {tool: fio, bs: 4k, pattern: randread}
rows:
  - {host: a, subject: x, iodepth: 1, figures: {storage.read.iops: 14.1k, storage.read.latency.mean: 70 us}}
  - {host: a, subject: y, iodepth: 1, figures: {storage.read.iops: 19.3k, storage.read.latency.mean: 50 us}}
  - {host: a, subject: x, bs: 1M, pattern: read, metric: storage.read.bandwidth, value: 3.4, unit: GB/s}
  - {host: a, subject: x, figures: {storage.read.iops: {value: 9, every: 1 s, series: [9, 9]}}}
  - {host: a, subject: y, figures: {storage.read.iops: {value: 8, every: 1 s, series: [8, 8]}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Printed) != 1 {
		t.Fatalf("%d tables: %+v", len(all.Printed), all.Printed)
	}
	p := all.Printed[0]
	if got := fmt.Sprintf("%v %v %v %v", p.Line, p.Header, p.Rows, p.Caption); got != "4 [subject storage read iops storage read latency mean] [{4 [x 14.1k 70 us]} {5 [y 19.3k 50 us]}] Drives, host=a, bs=4k, iodepth=1, pattern=randread, tool=fio" {
		t.Error(got)
	}
	values := map[string]float64{}
	for _, c := range p.Read {
		values[p.Rows[c.Row].Cells[c.Column]] = all.Results[c.Result].Repeats[0].Measurement(c.Metric).Value
	}
	if len(values) != 4 || values["14.1k"] != 14.1e3 || values["19.3k"] != 19.3e3 || values["70 us"] != 70e-6 || values["50 us"] != 50e-6 {
		t.Errorf("cells hold %v", values)
	}
}

// A table of a web page, on many lines or one, with spanning cells and unclosed
// tags.
func TestTablesOfWebPages(t *testing.T) {
	text, err := os.ReadFile("testdata/byhand-page.html")
	if err != nil {
		t.Fatal(err)
	}
	all := Blog([]byte(html.UnescapeString(string(text))))
	if len(all.Printed) != 2 || len(all.Unread) != 0 {
		t.Fatalf("%d tables: %+v, unread %v", len(all.Printed), all.Printed, all.Unread)
	}
	for i, want := range []string{
		"5 fio, 4k random, iodepth 32, direct=1 [Host Drive 4k random read IOPS 4k random write IOPS] [{9 [pve1 PM9A3 359,000 120,000]} {10 [pve1 P5510 358k 110k]} {11 [the second host is older   ]} {12 [pve2 S4510 97k –]}]",
		"15 fio, 4k random, iodepth 32, direct=1 [Drive Sequential read MB/s] [{15 [PM9A3 6,500]} {15 [S4510 540]}]",
	} {
		if p := all.Printed[i]; fmt.Sprintf("%d %s %v %v", p.Line, p.Caption, p.Header, p.Rows) != want {
			t.Errorf("table %d: %+v", i, p)
		}
	}
	found := map[string]float64{}
	for _, p := range all.Printed {
		for _, c := range p.Read {
			r := all.Results[c.Result]
			found[p.Rows[c.Row].Cells[c.Column]] = r.Repeats[0].Measurement(c.Metric).Value
		}
	}
	for cell, want := range map[string]float64{"359,000": 359e3, "120,000": 120e3, "358k": 358e3, "110k": 110e3, "97k": 97e3, "6,500": 6.5e9, "540": 540e6} {
		if found[cell] != want {
			t.Errorf("%s is read as %v", cell, found[cell])
		}
	}
	if len(found) != 7 {
		t.Errorf("found %v", found)
	}
}
