package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/block"
)

func result(id, title string, line int, figures ...assay.Measurement) assay.Result {
	for i := range figures {
		figures[i].Line = line
	}
	return assay.Result{
		Trial:   assay.Trial{ID: id, Probe: "fio", Title: title, From: fmt.Sprintf("blog.md:%d", line)},
		Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: figures}},
	}
}

func iops(v float64) assay.Measurement {
	return assay.Measurement{Metric: "storage.read.iops", Value: v, Unit: assay.PerSecond}
}

func blocksOf[B block.Block](d block.Document) (all []B) {
	for _, b := range d.Blocks {
		if one, is := b.(B); is {
			all = append(all, one)
		}
	}
	return all
}

// A published table is shown as it was: its own words in its cells, and findings
// as marks and footnotes in the cells concerned.
func TestAPublishedTableIsShownAsItWas(t *testing.T) {
	r := report.BuildReading(report.Read{
		Results: []assay.Result{result("a", "pve1: read", 5, iops(359e3)), result("b", "pve2: read", 6, iops(9e9))},
		Findings: []assay.Finding{
			{Rule: "pcie-ceiling", Severity: assay.Rejects, Subject: "b", Metrics: []string{"storage.read.iops"}, Message: "faster than its link"},
			{Rule: "too-short", Severity: assay.Warns, Subject: "a", Message: "too short", Arithmetic: "1 s < 30 s", Advice: "measure longer"},
			{Rule: "too-short", Severity: assay.Warns, Subject: "b", Message: "too short", Arithmetic: "2 s < 30 s", Advice: "measure longer"},
		},
		Tables: []report.PrintedTable{{
			File: "blog.md", Line: 3, Caption: "Random reads", Header: []string{"Host", "IOPS", "Remark"},
			Rows:  [][]string{{"pve1", "359k", "new"}, {"pve2", "9,000,000k", "old"}},
			Cells: []report.PrintedCell{{Row: 0, Column: 1, Output: "a", Metric: "storage.read.iops"}, {Row: 1, Column: 1, Output: "b", Metric: "storage.read.iops"}},
		}},
	})
	if want := "2 figures of 2 results in 1 table. Rejected: 1 result; 1 more with footnotes."; r.Summary != want {
		t.Errorf("summary %q, want %q", r.Summary, want)
	}
	d := r.Document()
	tables := blocksOf[block.Table](d)
	if len(tables) != 1 || len(tables[0].Rows) != 2 {
		t.Fatalf("%d tables", len(tables))
	}
	good, bad := tables[0].Rows[0].Cells[1], tables[0].Rows[1].Cells[1]
	if good.Text != "359k" || good.Figure.Rejected || !slices.Equal(good.Notes, []int{2}) {
		t.Errorf("the sound cell is %+v", good)
	}
	if bad.Text != "9,000,000k" || !bad.Figure.Rejected || !slices.Equal(bad.Notes, []int{1, 2}) {
		t.Errorf("the wrong cell is %+v", bad)
	}
	notes := blocksOf[block.Footnotes](d)
	if len(notes) != 1 || len(notes[0].Notes) != 2 {
		t.Fatalf("footnotes: %+v", notes)
	}
	if n := notes[0].Notes[1]; n.About != "all 2" || n.Sum != "1 s < 30 s; and 1 more like it" || n.Advice != "measure longer" {
		t.Errorf("the finding about both is %+v", n)
	}
}

// Sixteen jobs of one output are one table, and what all of them have is said once.
func TestSixteenJobsAreOneFinding(t *testing.T) {
	var in report.Read
	for i := range 16 {
		id := fmt.Sprintf("job%d", i)
		in.Results = append(in.Results, result(id, "fio "+id, 7, iops(float64(1000+i))))
		in.Findings = append(in.Findings, assay.Finding{
			Rule: "cov", Severity: assay.Warns, Subject: id, Message: "it varies", Arithmetic: fmt.Sprintf("%d %%", 20+i), Advice: "look at it",
		})
	}
	d := report.BuildReading(in).Document()
	if d.Title != "blog.md" {
		t.Errorf("the page is called %q", d.Title)
	}
	tables, notes := blocksOf[block.Table](d), blocksOf[block.Footnotes](d)
	if len(tables) != 1 || len(tables[0].Rows) != 16 || tables[0].Rows[15].Cells[1].Figure.Value != 1015 {
		t.Fatalf("tables: %+v", tables)
	}
	if len(notes) != 1 || len(notes[0].Notes) != 1 || notes[0].Notes[0].About != "all 16" {
		t.Fatalf("footnotes: %+v", notes)
	}
	for _, h := range blocksOf[block.Heading](d) {
		if strings.Contains(h.Text, "blog.md") {
			t.Errorf("the file is named again in %q", h.Text)
		}
	}
}

// The same advice is given once; later findings refer to it.
func TestAdviceIsGivenOnce(t *testing.T) {
	var in report.Read
	for line := range 3 {
		id := fmt.Sprintf("r%d", line)
		in.Results = append(in.Results, result(id, "fio", 10*line+1, iops(5)))
		in.Findings = append(in.Findings, assay.Finding{Rule: "little", Severity: assay.Rejects, Subject: id, Message: "wrong", Advice: "check the jobs"})
	}
	var got []string
	for _, s := range blocksOf[block.Sentence](report.BuildReading(in).Document()) {
		if s.Word == "rejects" {
			got = append(got, s.Advice)
		}
	}
	if want := []string{"check the jobs", "as for line 1", "as for line 1"}; !slices.Equal(got, want) {
		t.Errorf("advice %q, want %q", got, want)
	}
}

// A long reading begins with the worst findings: rejections first, each once.
func TestALongReadingBeginsWithTheWorst(t *testing.T) {
	var in report.Read
	for i := range 8 {
		id := fmt.Sprintf("r%d", i)
		in.Results = append(in.Results, result(id, "fio", 10*i+1, iops(5)))
		in.Findings = append(in.Findings,
			assay.Finding{Rule: fmt.Sprintf("w%d", i), Severity: assay.Warns, Subject: id, Message: fmt.Sprintf("odd %c", 'a'+i)},
			assay.Finding{Rule: "little", Severity: assay.Rejects, Subject: id, Message: fmt.Sprintf("it was %d.5, not 16", i)})
	}
	d := report.BuildReading(in).Document()
	points := blocksOf[block.Sentence](d)
	if points[1].Text != "Read: 8 × fio." || points[2].Text != "it was 0.5, not 16 (line 1 and 7 more; little)" || points[6].Word != "warns" {
		t.Errorf("it begins with %+v", points[:7])
	}
	if points[7].Text != "4 more findings below, with what to do about each." {
		t.Errorf("then %q", points[7].Text)
	}
}

// Findings are beside the text, at the line concerned; repeated ones are short.
func TestFindingsStandBesideTheText(t *testing.T) {
	d := report.BuildReading(report.Read{
		Results: []assay.Result{result("a", "fio", 2, iops(1)), result("b", "fio", 4, iops(2))},
		Findings: []assay.Finding{
			{Rule: "little", Severity: assay.Rejects, Subject: "a", Metrics: []string{"storage.read.iops"}, Message: "wrong", Arithmetic: "1 < 2", Advice: "do it"},
			{Rule: "little", Severity: assay.Rejects, Subject: "b", Message: "wrong", Arithmetic: "1 < 3", Advice: "do it"},
		},
		Texts: []report.Text{{File: "blog.md", Lines: []string{"prose", "  IOPS=1", "", "  IOPS=2", "end"}, More: 2}},
	}).Document()
	texts := blocksOf[block.Annotated](d)
	if len(texts) != 1 || len(texts[0].Lines) != 5 {
		t.Fatalf("texts: %+v", texts)
	}
	lines := texts[0].Lines
	if lines[0].Is != "" || lines[1].Is != block.Bad || lines[1].Text != "  IOPS=1" || lines[1].Number != 2 {
		t.Errorf("lines: %+v", lines[:2])
	}
	if n := lines[1].Notes; len(n) != 1 || n[0].Text != "wrong (little)" || n[0].Sum != "1 < 2" || n[0].Advice != "do it" {
		t.Errorf("beside line 2: %+v", n)
	}
	if n := lines[3].Notes; len(n) != 1 || n[0].Text != "little again, as on line 2" || n[0].Sum != "1 < 3" || n[0].Advice != "" {
		t.Errorf("beside line 4: %+v", n)
	}
	left := false
	for _, s := range blocksOf[block.Sentence](d) {
		left = left || s.Text == "2 more lines of the text left out."
	}
	if !left {
		t.Error("it does not say that lines are left out")
	}
}

// The file is named above a text unless all findings are in it.
func TestATextIsNamed(t *testing.T) {
	d := report.BuildReading(report.Read{
		Results: []assay.Result{result("a", "fio", 1, iops(1))},
		Texts:   []report.Text{{File: "blog.md", Lines: []string{"IOPS=1"}}, {File: "notes.md", Lines: []string{"prose"}}},
	}).Document()
	texts := blocksOf[block.Annotated](d)
	if len(texts) != 2 || texts[0].Title != "" || texts[1].Title != "notes.md" {
		t.Errorf("texts: %+v", texts)
	}
}

// A finding about an output as a whole is beside its first line, even in a long text,
// and a duplicate is dropped.
func TestANoteFarFromTheFiguresIsShown(t *testing.T) {
	far := result("a", "fio", 3000, iops(1))
	far.Trial.From = "blog.md:2000"
	whole := assay.Finding{Rule: "autocorr", Severity: assay.Informs, Subject: "a", Message: "samples depend on each other"}
	d := report.BuildReading(report.Read{
		Results: []assay.Result{far}, Findings: []assay.Finding{whole, whole},
		Texts: []report.Text{{File: "blog.md", Lines: make([]string, 4000)}},
	}).Document()
	for _, l := range blocksOf[block.Annotated](d)[0].Lines {
		if l.Number == 2000 {
			if l.Is != block.Note || len(l.Notes) != 1 || l.Notes[0].Sum != "" {
				t.Errorf("line 2000: %+v", l)
			}
			return
		}
	}
	t.Error("line 2000 is left out")
}

// In a long text, lines far from all figures are left out, and counted.
func TestALongTextIsShownInParts(t *testing.T) {
	d := report.BuildReading(report.Read{
		Results: []assay.Result{result("a", "fio", 3000, iops(1))},
		Texts:   []report.Text{{File: "blog.md", Lines: make([]string, 4000)}},
	}).Document()
	lines := blocksOf[block.Annotated](d)[0].Lines
	if lines[0].Left != 2984 || lines[0].Number != 2985 || len(lines) != 31 {
		t.Errorf("%d lines, the first %+v", len(lines), lines[0])
	}
}
