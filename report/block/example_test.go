package block_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"assay/internal/oneline"
	"assay/report/block"
	reportcsv "assay/report/csv"
	"assay/report/html"
	reportjson "assay/report/json"
	"assay/report/markdown"
	"assay/report/term"
)

// voices are all renderers of blocks.
var voices = map[string]func(io.Writer, block.Document) error{
	"text":     func(w io.Writer, d block.Document) error { return term.Render(w, d, term.Options{Width: 100}) },
	"html":     html.Render,
	"markdown": markdown.Render,
	"json":     reportjson.Render,
	"csv":      reportcsv.Render,
}

// failover is a kind of content that no voice knows: how long a service was down
// when its host was switched off.
func failover(host string, seconds []float64) block.Blocks {
	slowest := 0.
	for _, s := range seconds {
		slowest = math.Max(slowest, s)
	}
	outage := block.Figure{Host: host, Metric: "failover.outage", Unit: "s", Value: block.Number(slowest), N: len(seconds), Repeats: block.Numbers(seconds), Rejected: slowest > 60}
	return block.Blocks{
		block.Heading{Level: 1, Text: "Failover of " + host},
		block.Sentence{Is: block.Doubt, Text: "Clients saw an outage.", Sum: "3 of 90 s", Advice: "shorten the lease"},
		block.Sentence{Text: "One client, one request each 100 ms."},
		block.Table{
			Title: "Outages", Columns: []block.Column{{Heading: "service"}, {Heading: "outage", Right: true}, {Heading: "requests lost", Right: true}},
			Rows: []block.Row{
				{Cells: []block.Cell{{Text: "etcd", Under: []string{"3 members"}}, {Text: fmt.Sprintf("%.1f s", slowest), Figure: &outage, Notes: []int{1}}, {Text: "31"}}},
				{Cells: []block.Cell{{Text: "registry"}}, Absent: &block.Absent{Word: "failed", Why: "it never came back", Hint: "look at its log"}},
			},
			Legend: "The longest of all repeats.",
		},
		block.Bars{Title: "share of the lease", Mark: 1, Bars: []block.Bar{{Title: "etcd", Share: .3, Cell: block.Cell{Text: "30 %"}}, {Title: "registry", Absent: &block.Absent{Word: "no data"}}}},
		block.Plot{Title: "outage by load", X: block.Axis{Name: "requests a second", Scale: block.Log}, Y: block.Axis{Unit: "s"},
			Lines: []block.Line{{Title: "etcd line", Words: "1 s to 3 s", Points: []block.Point{{1, 1}, {10, 2}, {100, 3}}}}},
		block.Matrix{Title: "who saw whom", Names: []string{"a", "b"}, Cells: [][]block.Cell{{{Self: true}, {Text: "seen"}}, {{Text: "lost"}, {Self: true}}}},
		block.Timeline{Title: "probe", Series: []block.Series{{Title: "answers", Unit: "s", Range: "0 to 9 s", Points: []block.Point{{0, 0}, {1, 9}}}}, Spans: []block.Span{{From: 0, To: 1, Title: "off"}}},
		block.Lanes{Title: "who answered", From: -1, To: 9, Lanes: []block.Lane{{Title: "seen from m1", Words: "no answer for 3 s", Marks: []block.Mark{{At: 2, Text: "the ARP table changed"}},
			Stretches: []block.Stretch{{From: -1, To: 0, Is: block.Good, Text: "answers"}, {From: 0, To: 3, Is: block.Bad, Text: "silent"}, {From: 3, To: 9, Is: block.Good, Text: "answers"}}}}},
		block.Values{Groups: []block.Group{{Title: "etcd facts", Items: []block.Value{{Name: "version", Cell: block.Cell{Text: "3.5.1"}}}}}},
		block.List{Items: []string{"one item"}},
		block.Code{Text: "etcdctl endpoint status\n"},
		block.Details{Summary: "Members", Blocks: block.Blocks{block.Sentence{Text: "m1, m2 and m3."}}},
		block.Footnotes{Notes: []block.Footnote{{Number: 1, Is: block.Doubt, Word: "warns", Name: "clock", Text: "the clocks differ", About: "etcd", Sum: "2 s > 1 s", Advice: "run chrony"},
			{Number: 2, Is: block.Doubt, Word: "warns", Name: "lease", Text: "the lease is short", About: "etcd", Shared: "lengthen all leases"}, {Number: 3, About: "registry"}}},
	}
}

// New content needs no code in any voice: this content exists only in this test.
func TestNewContentIsRenderedByEveryVoice(t *testing.T) {
	d := block.Document{Title: "A day of failures", About: []string{"run x"}, Blocks: failover("pve1", []float64{1.5, 3.25})}
	for name, voice := range voices {
		var b bytes.Buffer
		if err := voice(&b, d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wants := []string{"etcd", "3.", "failed", "never came back", "etcd facts", "seen"}
		if name != "csv" { // cells alone
			wants = append(wants, "Failover of pve1", "Clients saw an outage.", "the clocks differ", "run chrony", "lengthen all leases", "one item", "endpoint status", "m1, m2 and m3.", "outage by load", "seen from m1", "no answer for 3 s", "0 to 9 s", "look at its log")
		}
		if name == "json" {
			wants = wants[:len(wants)-2]
			wants = append(wants, `"block": "timeline"`, `"hint": "look at its log"`)
		}
		for _, want := range wants {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s does not say %q:\n%s", name, want, b.String())
			}
		}
	}
}

// Every voice renders whatever it gets: empty documents, and impossible values.
func TestEveryVoiceRendersEverything(t *testing.T) {
	nan := block.Number(math.NaN())
	for what, d := range map[string]block.Document{
		"nothing": {},
		"zero values": {Blocks: block.Blocks{
			block.Heading{}, block.Sentence{}, block.List{}, block.Code{}, block.Details{}, block.Footnotes{}, block.Bars{},
			block.Table{}, block.Table{Rows: []block.Row{{}}}, block.Values{}, block.Matrix{}, block.Plot{}, block.Timeline{},
			block.Lanes{}, block.Lanes{To: 1, Lanes: []block.Lane{{}, {Stretches: []block.Stretch{{}, {From: 5, To: -5}}, Marks: []block.Mark{{}, {At: 1e300}}}}},
			block.Table{Rows: []block.Row{{Head: true}, {Absent: &block.Absent{}}, {Cells: make([]block.Cell, 3)}}, Wide: true},
			block.Footnotes{Notes: []block.Footnote{{}}}, block.Bars{Bars: []block.Bar{{}}}, block.Matrix{Cells: [][]block.Cell{{{}}}},
			block.Plot{Lines: []block.Line{{}}}, block.Timeline{Series: []block.Series{{}}, Joined: true}, block.Values{Groups: []block.Group{{Items: make([]block.Value, 1)}}},
		}},
		"no numbers": {Blocks: block.Blocks{
			block.Bars{Bars: []block.Bar{{Share: nan, Low: nan, High: nan}}, Mark: 1},
			block.Table{Columns: make([]block.Column, 1), Rows: []block.Row{{Cells: []block.Cell{{}, {Figure: &block.Figure{Value: nan, Low: nan, High: nan, Level: .95, Repeats: []block.Number{nan, 1, nan}}}}}}},
			block.Plot{Lines: []block.Line{{Points: []block.Point{{nan, 1}, {1, nan}}}}},
			block.Timeline{Series: []block.Series{{Points: []block.Point{{nan, nan}}}}},
			block.Lanes{From: nan, To: nan, Lanes: []block.Lane{{Stretches: []block.Stretch{{From: nan, To: 1}}}}},
			block.Lanes{From: -1e308, To: 1e308, Lanes: []block.Lane{{Stretches: []block.Stretch{{From: nan, To: nan}, {From: 1, To: 1}}, Marks: []block.Mark{{At: nan}}}}},
		}},
	} {
		for name, voice := range voices {
			var b bytes.Buffer
			if err := voice(&b, d); err != nil {
				t.Errorf("%s, %s: %v", what, name, err)
			}
			if name == "json" && !json.Valid(b.Bytes()) {
				t.Errorf("%s: not JSON: %s", what, b.String())
			}
		}
	}
}

// Names and texts come from anywhere: they stay plain text.
func TestHostileTextIsHarmless(t *testing.T) {
	evil := "<img src=x onerror=alert(1)>\x1b[31m|\n=HYPERLINK(\"http://x\")"
	formula := "=1+1"
	d := block.Document{Title: evil, About: []string{evil}, Blocks: block.Blocks{
		block.Heading{Level: 1, Text: evil, Aside: evil}, block.Sentence{Is: block.Kind(evil), Word: evil, Text: evil, Sum: evil, Advice: evil},
		block.Sentence{Text: evil}, block.List{Items: []string{evil}}, block.Code{Text: evil}, block.Details{Summary: evil, Blocks: block.Blocks{block.Sentence{Text: evil}}},
		block.Table{Title: evil, Aside: evil, Legend: evil, Columns: []block.Column{{Heading: evil}, {Heading: formula}},
			Rows: []block.Row{{Cells: []block.Cell{{Text: formula, Under: []string{evil}}, {Text: formula, Is: block.Kind(evil), Figure: &block.Figure{Metric: formula, Unit: evil, Odd: evil, Spread: evil, Value: -1}}}}}},
		block.Values{Groups: []block.Group{{Title: evil, Items: []block.Value{{Name: evil, Cell: block.Cell{Text: formula}}}}}},
		block.Bars{Title: evil, Bars: []block.Bar{{Group: evil, Title: evil, Aside: evil, Cell: block.Cell{Text: evil}}}},
		block.Plot{Title: evil, Aside: evil, Lines: []block.Line{{Title: evil, Words: evil, Points: []block.Point{{1, 1}}}}},
		block.Lanes{Title: evil, To: 1, Lanes: []block.Lane{{Title: evil, Words: evil, Stretches: []block.Stretch{{To: 1, Is: block.Kind(evil), Text: evil}}, Marks: []block.Mark{{Text: evil}}}}},
		block.Footnotes{Notes: []block.Footnote{{Is: block.Kind(evil), Word: evil, Name: evil, Text: evil, About: evil, Sum: evil, Advice: evil}}},
	}}
	for name, voice := range voices {
		var b bytes.Buffer
		if err := voice(&b, d); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		switch name {
		case "html":
			if strings.Contains(text, "<img") {
				t.Error("html: a name became an element")
			}
		case "markdown":
			if outside := strings.ReplaceAll(text, "```\n"+strings.Split(oneline.Lines(evil, ""), "\n")[0], ""); strings.Contains(outside, "<img") {
				t.Errorf("markdown: a name became an element:\n%s", text)
			}
		case "text":
			if strings.Contains(text, "\x1b") {
				t.Error("text: a name drives the terminal")
			}
		case "csv":
			records, err := csv.NewReader(&b).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range records[1:] {
				for i, field := range r {
					if i == 7 || i == 9 || i == 10 { // numbers of assay's own
						continue
					}
					if field != "" && strings.ContainsRune("=+-@", rune(field[0])) {
						t.Errorf("csv: %q is a formula", field)
					}
				}
			}
		}
	}
}

func TestNoLineOfATerminalIsTooLong(t *testing.T) {
	d := block.Document{Title: "A day of failures", Blocks: failover("pve1", []float64{1.5, 3.25})}
	for width := 40; width <= 200; width++ {
		var b bytes.Buffer
		if err := term.Render(&b, d, term.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(b.String(), "\n") {
			if n := term.Width(l); n > width {
				t.Fatalf("%d columns of %d: %s", n, width, l)
			}
		}
	}
}
