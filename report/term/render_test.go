package term

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/block"
	"assay/report/reporttest"

	"github.com/google/go-cmp/cmp"
)

func TestGolden(t *testing.T) {
	for _, columns := range []int{80, 120, 200} {
		for _, color := range []bool{false, true} {
			name := fmt.Sprintf("report-%d-%s.golden", columns, map[bool]string{false: "plain", true: "color"}[color])
			t.Run(name, func(t *testing.T) {
				got := written(t, reporttest.Document(), Options{Width: columns, Color: color})
				reporttest.Golden(t, name, []byte(got))
			})
		}
	}
}

func TestColorOnlyRepeatsTheWords(t *testing.T) {
	bare := written(t, reporttest.Document(), Options{Width: 80})
	if strings.Contains(bare, "\x1b") {
		t.Error("there is an escape in a report without colour")
	}
	colored := written(t, reporttest.Document(), Options{Width: 80, Color: true})
	if !strings.Contains(colored, "\x1b[") {
		t.Error("there is no colour in a report with colour")
	}
	if d := cmp.Diff(bare, withoutColor(colored)); d != "" {
		t.Errorf("colour changes more than colour:\n%s", d)
	}
}

func TestEveryFigureIsPrintedAtEveryWidth(t *testing.T) {
	d := reporttest.Document()
	for columns := 40; columns <= 200; columns += 5 {
		got := squash(written(t, d, Options{Width: columns}))
		for _, s := range d.Sections {
			for _, r := range s.Rows {
				for _, f := range r.Figures {
					value := strings.TrimSuffix(report.Quantity(f.Metric, f.Value), " "+f.Label)
					if f.Rejected {
						value = "✗ " + value
					}
					if !strings.Contains(got, squash(value)) {
						t.Errorf("width %d: no %s of %s", columns, value, r.Trial)
					}
					if report.Spread(f) != "" && !strings.Contains(got, squash(report.Spread(f))) {
						t.Errorf("width %d: no spread of %s of %s", columns, f.Metric, r.Trial)
					}
				}
				if r.Absent != nil && !strings.Contains(got, squash(string(r.Absent.Word)+": "+r.Absent.Why)) {
					t.Errorf("width %d: absence of %s is not said", columns, r.Trial)
				}
			}
		}
		for _, f := range d.Findings {
			for _, text := range []string{f.Message, f.Arithmetic, f.Advice, fmt.Sprintf("[%d]", f.Number)} {
				if !strings.Contains(got, squash(text)) {
					t.Errorf("width %d: finding %d lacks %q", columns, f.Number, text)
				}
			}
		}
		if !strings.Contains(got, squash("rejected: bandwidth [1]")) {
			t.Errorf("width %d: the rejected figure is not said in words", columns)
		}
	}
}

func TestLittleRoomKeepsWhatAFootnoteIsAbout(t *testing.T) {
	d := reporttest.Document()
	row := &d.Sections[0].Rows[0]
	for i, metric := range []string{"min", "max", "stddev", "mean", "p90", "p95", "p99_99"} {
		f := report.Figure{Metric: "storage.read.latency." + metric, Label: metric, Value: float64(i+1) * 1e-3, N: 6, Seconds: 5, Unit: assay.Seconds}
		if metric == "max" {
			f.Footnotes = []int{4}
		}
		row.Figures = append(row.Figures, f)
	}
	got := written(t, d, Options{Width: 80})
	for _, want := range []string{"also max 2.00 ms ± ? [4]", "also measured: min, max, stddev, mean, p90, p95, p99_99"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if roomy := written(t, d, Options{Width: 200}); strings.Contains(roomy, "also measured") {
		t.Error("figures are hidden at 200 columns")
	}
}

func TestEmptyDocuments(t *testing.T) {
	for name, d := range map[string]report.Document{
		"nothing":           {},
		"an empty section":  {Sections: []report.Section{{}}},
		"an empty row":      {Sections: []report.Section{{Rows: []report.Row{{}}}}},
		"an empty figure":   {Sections: []report.Section{{Rows: []report.Row{{Figures: []report.Figure{{}}}}}}},
		"an empty absence":  {Sections: []report.Section{{Rows: []report.Row{{Absent: &assay.Absence{}}}}}},
		"an empty ceiling":  {Sections: []report.Section{{Rows: []report.Row{{Figures: []report.Figure{{Ceiling: &report.Ceiling{}}}}}}}},
		"empty everything":  {Verdict: []report.Sentence{{}}, Findings: []report.Footnote{{}}, Open: []assay.Finding{{}}, Missing: []assay.MissingFact{{}}, Facts: []report.FactGroup{{}}},
		"a series of nones": {Plots: report.Plots{Heat: report.Heat{Temps: []report.Series{{Points: make([][2]float64, 3)}}, Clock: &report.Series{}}}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := written(t, d, Options{}); strings.TrimSpace(got) == "" {
				t.Error("nothing was said")
			}
		})
	}
	if got := written(t, report.Document{}, Options{}); !strings.Contains(got, "Nothing was measured.") {
		t.Errorf("an empty document does not say that nothing was measured: %q", got)
	}
}

func TestRenderGivesTheErrorOfItsWriter(t *testing.T) {
	full := errors.New("no space left on device")
	if err := Render(failing{full}, block.Document{}, Options{}); !errors.Is(err, full) {
		t.Errorf("Render = %v, want %v", err, full)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// written renders a report; no line of it is too long.
func written(t *testing.T, d report.Document, o Options) string {
	t.Helper()
	return rendered(t, report.Blocks(d), o)
}

func rendered(t *testing.T, d block.Document, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, d, o); err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(withoutColor(b.String())) {
		if n := width(strings.TrimSuffix(l, "\n")); o.Width > 0 && n > o.Width {
			t.Errorf("a line of %d columns of %d: %q", n, o.Width, l)
		}
	}
	return b.String()
}

// squash removes everything that wrapping may change.
func squash(s string) string { return strings.Join(strings.Fields(s), "") }

func withoutColor(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, s, _ = strings.Cut(after, "m")
	}
}

// Advice is printed under its note, or under all notes that share it.
func TestAdviceStandsUnderItsNotes(t *testing.T) {
	notes := block.Footnotes{Notes: []block.Footnote{
		{Number: 1, Word: "warns", Name: "cov", Text: "Scatters.", About: "a", Sum: "2 > 1", Shared: "wait"}, {Number: 2, Word: "warns", Name: "cov", About: "b", Sum: "3 > 1"},
		{Number: 3, Word: "warns", Name: "cache", Text: "Too fast.", About: "a", Sum: "9 > 8", Advice: "write past it"},
	}}
	want := `warns    Scatters. (cov)
         [1] a: 2 > 1
         [2] b: 3 > 1
         next: wait
[3] warns    Too fast. (a; cache)
             9 > 8
             next: write past it
`
	if got := rendered(t, block.Document{Blocks: block.Blocks{notes}}, Options{}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The word before a sentence may say what nothing else does: it is never cut.
func TestWordsBeforeSentencesAreWhole(t *testing.T) {
	d := block.Document{Blocks: block.Blocks{
		block.Sentence{Is: block.Bad, Word: "proxmox1 → proxmox2", Text: "33 %."},
		block.Sentence{Is: block.Doubt, Word: "kubernetes-node-in-the-attic-17", Text: "could not be queried."},
		block.Sentence{Is: block.Good, Text: "All others answered."},
	}}
	for columns, want := range map[int]string{
		40: `  proxmox1 → proxmox2
         33 %.
  kubernetes-node-in-the-attic-17
         could not be queried.
  good   All others answered.
`,
		80: `  proxmox1 → proxmox2  33 %.
  kubernetes-node-in-the-attic-17
                       could not be queried.
  good                 All others answered.
`,
	} {
		if d := cmp.Diff(want, rendered(t, d, Options{Width: columns})); d != "" {
			t.Errorf("%d columns:\n%s", columns, d)
		}
	}
}
