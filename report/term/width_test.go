package term

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/block"

	"github.com/charmbracelet/lipgloss"
	"pgregory.net/rapid"
)

var names = []string{
	"", "nvme0n1", "io_uring, depth 32", "日本語のディスク", "диск", "🚀💾", "👩‍👩‍👧‍👦", "❤️", "🇩🇪", "e\u0301\u0301\u0301",
	"\x1b[31mred\x1b[0m", "tab\there", "line\nbreak", "\r\n", "\u202eright to left", "\x00\x07", "\xff\xfe", "a\u00a0b", "…", "عربي",
	strings.Repeat("long", 60), strings.Repeat("漢", 90), "n=6 × 5 s", "8.03 GB/s", "[1]", "· ·", "▏▎▍▌▋▊▉█▶ ▁▂▃▄▅▆▇█ ✗ – ─",
}

// Some terminals measure runes, others clusters of them: cleaned text is no
// wider in clusters, so it fits in both.
func TestClustersAreNoWiderThanTheirRunes(t *testing.T) {
	for _, name := range names {
		if by, runes := lipgloss.Width(clean(name)), width(clean(name)); by > runes {
			t.Errorf("%q takes %d columns by clusters, %d by runes", clean(name), by, runes)
		}
	}
}

// odd is text as it comes from drives, users and kernels: long, foreign, and
// with terminal control codes.
var odd = rapid.Custom(func(t *rapid.T) string {
	words := rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom(names),
		rapid.StringN(0, 12, -1),
	), 0, 6).Draw(t, "words")
	return strings.Join(words, rapid.SampledFrom([]string{" ", "", "-"}).Draw(t, "sep"))
})

var oddNumber = rapid.OneOf(
	rapid.Float64(),
	rapid.Float64Range(0, 2),
	rapid.SampledFrom([]float64{0, -1, 1e300, -1e300, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1), 999.6, 3.938e9}),
)

func drawFigure(t *rapid.T) report.Figure {
	f := report.Figure{
		Metric: rapid.OneOf(rapid.SampledFrom([]string{
			"storage.read.iops", "storage.write.iops", "storage.read.bandwidth", "storage.read.latency.p50", "storage.read.latency.p99_9",
			"storage.read.latency.max", "cpu.events_per_second", "smart.passed", "smart.power_on_hours", "thermal.rise"}), odd).Draw(t, "metric"),
		Label: rapid.OneOf(rapid.SampledFrom([]string{"IOPS", "bandwidth", "p50", "p99", "max", "events/s", "media errors", ""}), odd).Draw(t, "label"),
		Value: oddNumber.Draw(t, "value"), Low: oddNumber.Draw(t, "low"), High: oddNumber.Draw(t, "high"),
		Level: rapid.SampledFrom([]float64{0, .95, math.NaN()}).Draw(t, "level"), N: rapid.IntRange(-1, 40).Draw(t, "n"),
		Seconds: oddNumber.Draw(t, "seconds"), Repeats: rapid.SliceOfN(oddNumber, 0, 30).Draw(t, "repeats"),
		Footnotes: rapid.SliceOfN(rapid.IntRange(0, 1e9), 0, 4).Draw(t, "footnotes"), Rejected: rapid.Bool().Draw(t, "rejected"),
	}
	if rapid.Bool().Draw(t, "bounded") {
		f.Ceiling = &report.Ceiling{Name: odd.Draw(t, "ceiling"), Value: oddNumber.Draw(t, "most"), Share: oddNumber.Draw(t, "share")}
	}
	return f
}

func drawRow(t *rapid.T) report.Row {
	r := report.Row{
		Trial: rapid.OneOf(rapid.Just("trial"), odd).Draw(t, "trial"), Title: odd.Draw(t, "title"), Subject: odd.Draw(t, "subject"), Settings: odd.Draw(t, "settings"),
		Figures: rapid.SliceOfN(rapid.Custom(drawFigure), 0, 8).Draw(t, "figures"), Quick: rapid.Bool().Draw(t, "quick"),
	}
	if rapid.IntRange(0, 3).Draw(t, "absent") == 0 {
		r.Absent = &assay.Absence{Word: assay.Failed, Why: odd.Draw(t, "why"), Hint: odd.Draw(t, "hint")}
	}
	return r
}

func drawSeries(t *rapid.T) report.Series {
	s := report.Series{
		Title: odd.Draw(t, "series"), Trial: rapid.SampledFrom([]string{"trial", ""}).Draw(t, "of"),
		Unit: rapid.SampledFrom([]assay.Unit{assay.BytesPerSecond, assay.Celsius, assay.One, assay.Seconds, ""}).Draw(t, "unit"),
	}
	for range rapid.IntRange(0, 50).Draw(t, "points") {
		s.Points = append(s.Points, [2]float64{oddNumber.Draw(t, "t"), oddNumber.Draw(t, "v")})
	}
	return s
}

func drawFinding(t *rapid.T) assay.Finding {
	return assay.Finding{
		Rule: odd.Draw(t, "rule"), Severity: rapid.SampledFrom([]assay.Severity{assay.Rejects, assay.Warns, assay.Informs, assay.NotChecked, ""}).Draw(t, "severity"),
		Subject: rapid.OneOf(rapid.Just("trial"), odd).Draw(t, "about"), Arithmetic: odd.Draw(t, "arithmetic"), Message: odd.Draw(t, "message"),
		Advice: odd.Draw(t, "advice"), Missing: odd.Draw(t, "missing"),
	}
}

func drawDocument(t *rapid.T) report.Document {
	d := report.Document{Run: report.Header{
		ID: odd.Draw(t, "id"), Suite: odd.Draw(t, "suite"), Hosts: rapid.SliceOfN(odd, 0, 3).Draw(t, "hosts"), Version: odd.Draw(t, "version"),
		Elapsed: oddNumber.Draw(t, "elapsed"), Budget: oddNumber.Draw(t, "budget"), Status: assay.RunStatus(odd.Draw(t, "status")),
	}}
	for range rapid.IntRange(0, 3).Draw(t, "sentences") {
		d.Verdict = append(d.Verdict, report.Sentence{Kind: odd.Draw(t, "kind"), Text: odd.Draw(t, "text")})
		d.Run.Notes = append(d.Run.Notes, assay.Note{Text: odd.Draw(t, "note")})
		d.Missing = append(d.Missing, assay.MissingFact{Fact: odd.Draw(t, "fact"), Why: odd.Draw(t, "why"), Hint: odd.Draw(t, "hint")})
		d.Facts = append(d.Facts, report.FactGroup{Title: odd.Draw(t, "group"), Rows: []report.Fact{{Name: odd.Draw(t, "name"), Value: odd.Draw(t, "value")}}})
		d.Findings = append(d.Findings, report.Footnote{Number: rapid.Int().Draw(t, "number"), Finding: drawFinding(t)})
		d.Open = append(d.Open, drawFinding(t))
		d.Sections = append(d.Sections, report.Section{
			ID: odd.Draw(t, "section"), Title: odd.Draw(t, "heading"), Note: odd.Draw(t, "how"),
			Rows: rapid.SliceOfN(rapid.Custom(drawRow), 0, 4).Draw(t, "rows"),
		})
	}
	d.Plots.Timeline = rapid.SliceOfN(rapid.Custom(drawSeries), 0, 3).Draw(t, "timeline")
	d.Plots.Heat.Temps = rapid.SliceOfN(rapid.Custom(drawSeries), 0, 3).Draw(t, "temps")
	return d
}

// No line is wider than the width, whatever a machine's parts are called, and
// no terminal control code gets through.
func TestNoLineIsWiderThanTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		columns := rapid.IntRange(40, 200).Draw(t, "width")
		var b bytes.Buffer
		if err := Render(&b, report.Blocks(d), Options{Width: columns, Color: rapid.Bool().Draw(t, "color")}); err != nil {
			t.Fatal(err)
		}
		checkLines(t, b.String(), columns)
	})
}

func TestTableStaysWithinTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(10, 200).Draw(t, "width")
		header := rapid.SliceOfN(odd, 0, 6).Draw(t, "header")
		rows := rapid.SliceOfN(rapid.SliceOfN(odd, 0, 7), 0, 5).Draw(t, "rows")
		table := block.Texts(header, rows)
		for i := range table.Columns {
			table.Columns[i].Right = rapid.Bool().Draw(t, "right")
		}
		p := &page{columns: columns}
		p.cells(table)
		checkLines(t, p.String(), columns)
		got := squash(p.String())
		for _, r := range rows {
			for _, cell := range r {
				for _, word := range strings.Fields(clean(cell)) {
					// A word split over lines has others between its parts.
					if width(word) < 6 && !strings.Contains(got, word) {
						t.Fatalf("%q is lost in\n%s", word, p.String())
					}
				}
			}
		}
	})
}

func TestWrapStaysWithinTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, columns := odd.Draw(t, "text"), rapid.IntRange(6, 120).Draw(t, "width")
		got := paragraphs(text, columns, "    ")
		checkLines(t, got, columns)
		if squash(clean(got)) != squash(clean(text)) {
			t.Fatalf("paragraphs(%q) = %q loses something", text, got)
		}
	})
}

func checkLines(t *rapid.T, text string, columns int) {
	t.Helper()
	bare := withoutColor(text)
	for _, l := range strings.Split(bare, "\n") {
		if w := width(l); w > columns {
			t.Fatalf("%d columns where there are %d: %q", w, columns, l)
		}
		if strings.TrimRight(l, " ") != l {
			t.Fatalf("space at the end of %q", l)
		}
		for _, r := range l {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
				t.Fatalf("control character %U in %q", r, l)
			}
		}
	}
}
