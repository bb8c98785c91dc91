package markdown

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/block"
	"assay/report/reporttest"

	"pgregory.net/rapid"
)

func TestGolden(t *testing.T) {
	got := written(t, reporttest.Document())
	reporttest.Golden(t, "report.golden", []byte(got))
}

func TestEscape(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"io_uring, depth 32", "io_uring, depth 32"},
		{"_emphasis_", `\_emphasis\_`},
		{"a|b", `a\|b`},
		{"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
		{"AT&T", "AT&amp;T"},
		{"[link](http://x)", `\[link\](http://x)`},
		{"a [link][x], a [note] and [^x]: y", `a [link\][x], a [note] and [^x\]: y`},
		{"it measured RAM [1].", "it measured RAM [1]."},
		{"[ ] no box", `\[ ] no box`},
		{"**bold** `code` ~~gone~~", "\\*\\*bold\\*\\* \\`code\\` \\~\\~gone\\~\\~"},
		{`back\slash`, `back\\slash`},
		{"# heading $x$", `\# heading \$x\$`},
	} {
		if got := escape(c.in); got != c.want {
			t.Errorf("escape(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestParagraphOpensNoOtherBlock(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"- not a list", `\- not a list`},
		{"+ nor this", `\+ nor this`},
		{"=== no heading", `\=== no heading`},
		{"1. no list", `1\. no list`},
		{"12) no list", `12\) no list`},
		{"8.03 GB/s > 3.94 GB/s", "8.03 GB/s &gt; 3.94 GB/s"},
		{"10 s < 3 × 28 s", "10 s &lt; 3 × 28 s"},
		{"plain", "plain"},
		{"", ""},
	} {
		if got := paragraph(c.in); got != c.want {
			t.Errorf("paragraph(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestIntervalSaysAUnitOnce(t *testing.T) {
	for _, c := range []struct {
		text string
		f    block.Figure
		want string
	}{
		{"243k IOPS", block.Figure{Interval: "[240k IOPS, 246k IOPS]", Spread: "± 1.2 %"}, "(240k to 246k)"},
		{"999 µs", block.Figure{Interval: "[990 µs, 1.01 ms]", Spread: "± 1.1 %"}, "(990 µs to 1.01 ms)"},
		{"243k", block.Figure{Interval: "[240k, 246k]"}, "(240k to 246k)"},
		{"1.00 IOPS", block.Figure{Spread: "± ?"}, "± ?"},
		{"1", block.Figure{}, ""},
	} {
		if got := reach(c.f, c.text); got != c.want {
			t.Errorf("reach(%+v) = %q, want %q", c.f, got, c.want)
		}
	}
}

// Whatever a name holds, a table keeps its columns and no HTML gets through.
func TestTablesSurviveNames(t *testing.T) {
	odd := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"|", `\|`, `\\|`, "a\n| b |", "<b>", "<!--", "&lt;", "`|`", "\u2028", "\x00", "",
	}))
	rapid.Check(t, func(t *rapid.T) {
		row := report.Row{
			Trial: "x", Title: odd.Draw(t, "title"), Subject: odd.Draw(t, "subject"), Settings: odd.Draw(t, "settings"),
			Figures: []report.Figure{{Metric: odd.Draw(t, "metric"), Label: odd.Draw(t, "label"), Value: rapid.Float64().Draw(t, "v"), N: 1, Rejected: true, Footnotes: []int{1}}},
		}
		absent := report.Row{Trial: "y", Subject: odd.Draw(t, "other"), Absent: &assay.Absence{Word: assay.Failed, Why: odd.Draw(t, "why"), Hint: odd.Draw(t, "hint")}}
		d := report.Document{
			Run:      report.Header{ID: odd.Draw(t, "id"), Suite: odd.Draw(t, "suite"), Hosts: []string{odd.Draw(t, "host")}},
			Verdict:  []report.Sentence{{Kind: odd.Draw(t, "kind"), Text: odd.Draw(t, "text")}},
			Sections: []report.Section{{Title: odd.Draw(t, "section"), Note: odd.Draw(t, "note"), Rows: []report.Row{row, absent}}},
			Findings: []report.Footnote{{Number: 1, Finding: assay.Finding{Rule: odd.Draw(t, "rule"), Message: odd.Draw(t, "message"), Arithmetic: odd.Draw(t, "arithmetic"), Advice: odd.Draw(t, "advice")}}},
			Facts:    []report.FactGroup{{Title: odd.Draw(t, "group"), Rows: []report.Fact{{Name: odd.Draw(t, "name"), Value: odd.Draw(t, "value")}}}},
		}
		var b bytes.Buffer
		if err := Render(&b, report.Blocks(d)); err != nil {
			t.Fatal(err)
		}
		columns, tables := 0, 0
		for _, l := range strings.Split(b.String(), "\n") {
			if strings.ContainsAny(l, "<>\r\x00\x1b\u2028") {
				t.Fatalf("something of a name is markup in %q", l)
			}
			if !strings.HasPrefix(l, "| ") {
				columns = 0
				continue
			}
			n := bars(l)
			if columns == 0 {
				tables++
			} else if n != columns {
				t.Fatalf("%d bars where the table has %d: %q", n, columns, l)
			}
			columns = n
		}
		if tables != 2 {
			t.Fatalf("%d tables where there are 2:\n%s", tables, b.String())
		}
	})
}

// bars counts the bars that separate cells: those after an even number of
// backslashes.
func bars(l string) int {
	n, slashes := 0, 0
	for _, r := range l {
		switch {
		case r == '\\':
			slashes++
			continue
		case r == '|' && slashes%2 == 0:
			n++
		}
		slashes = 0
	}
	return n
}

func TestEmptyDocuments(t *testing.T) {
	for name, d := range map[string]report.Document{
		"nothing":          {},
		"an empty section": {Sections: []report.Section{{}}},
		"an empty row":     {Sections: []report.Section{{Rows: []report.Row{{}}}}},
		"an empty figure":  {Sections: []report.Section{{Rows: []report.Row{{Figures: []report.Figure{{}}}}}}},
		"empty everything": {Verdict: []report.Sentence{{}}, Findings: []report.Footnote{{}}, Open: []assay.Finding{{}}, Missing: []assay.MissingFact{{}}, Facts: []report.FactGroup{{}}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := written(t, d); !strings.HasPrefix(got, "# assay") {
				t.Errorf("no title in %q", got)
			}
		})
	}
}

func TestWriteGivesTheErrorOfItsWriter(t *testing.T) {
	full := errors.New("no space left on device")
	if err := Render(failing{full}, report.Blocks(report.Document{})); !errors.Is(err, full) {
		t.Errorf("Render = %v, want %v", err, full)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func written(t *testing.T, d report.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, report.Blocks(d)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
