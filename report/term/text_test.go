package term

import (
	"math"
	"strings"
	"testing"

	"assay/report/block"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		indent  string
		want    string
	}{
		{"", 20, "", ""},
		{"one two three", 8, "", "one two\nthree"},
		{"one two three", 8, "  ", "  one\n  two\n  three"},
		{"it reads 8.03 GB/s here", 13, "", "it reads\n8.03 GB/s\nhere"},
		{"± 1.2 % or more", 8, "", "± 1.2 %\nor more"},
		{"n=6 × 5.00 s", 8, "", "n=6 ×\n5.00 s"},
		{"rest on n=6 × 5.00 s", 14, "", "rest on\nn=6 × 5.00 s"},
		{"first · second", 9, "", "first ·\nsecond"},
		{"first paragraph\n\nsecond", 40, "", "first paragraph\n\nsecond"},
		{"/dev/disk/by-id/nvme-WDC", 10, "", "/dev/disk/\nby-id/nvme\n-WDC"},
		{"日本語", 4, "", "日本\n語"},
		{"\x1b[31mred\x1b[0m", 40, "", "[31mred [0m"},
	} {
		if got := paragraphs(c.text, c.columns, c.indent); got != c.want {
			t.Errorf("paragraphs(%q, %d) = %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	table := block.Texts([]string{"run", "suite", "n", "what it says"}, [][]string{
		{"20260222-120000", "baseline", "12", "sequential writes measured RAM, not the drive"},
		{"20260223-090000", "quick", "3", "healthy"},
		{"20260224-090000", "ssd"},
	})
	table.Columns[2].Right = true
	for _, c := range []struct {
		columns int
		want    string
	}{
		{80, `run              suite      n  what it says
20260222-120000  baseline  12  sequential writes measured RAM, not the drive
20260223-090000  quick      3  healthy
20260224-090000  ssd
`},
		{60, `run              suite      n  what it says
20260222-120000  baseline  12  sequential writes measured
                               RAM, not the drive
20260223-090000  quick      3  healthy
20260224-090000  ssd
`},
		{20, `run: 20260222-120000
suite: baseline
n: 12
what it says:
sequential writes
measured RAM, not
the drive

run: 20260223-090000
suite: quick
n: 3
what it says:
healthy

run: 20260224-090000
suite: ssd
`},
	} {
		p := &page{columns: c.columns}
		p.cells(table)
		if d := cmp.Diff(c.want, p.String()); d != "" {
			t.Errorf("width %d:\n%s", c.columns, d)
		}
	}
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{
		{0, ""}, {-1, ""}, {math.NaN(), ""},
		{.0001, "▏"}, {.0625, "▌"}, {.5, "████"}, {.55, "████▍"}, {1, "████████"}, {2.04, "███████▶"}, {math.Inf(1), "███████▶"},
	} {
		if got := bar(c.share, 8); got != c.want {
			t.Errorf("bar(%v, 8) = %q, want %q", c.share, got, c.want)
		}
	}
}

func TestSpark(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, "▁▂▃▄▅▆▇█"},
		{[]float64{1000, 1001, 999, 1000}, "▅▅▄▅"}, // quiet looks quiet
		{[]float64{1, math.NaN(), 2}, "▁ █"},
		{[]float64{0, 0}, "▅▅"},
	} {
		if got := sparkRepeats(c.values); got != c.want {
			t.Errorf("sparkRepeats(%v) = %q, want %q", c.values, got, c.want)
		}
	}
}

func TestResampleAverages(t *testing.T) {
	got := resample([][2]float64{{0, 1}, {1, 3}, {2, 10}, {3, 20}}, 2)
	if d := cmp.Diff([]float64{2, 15}, got); d != "" {
		t.Error(d)
	}
}

// paragraphs wraps a multi-line text, with each line indented.
func paragraphs(text string, columns int, indent string) string {
	room := columns - width(indent)
	var lines []string
	for paragraph := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		wrapped := wrap(clean(paragraph), room)
		if len(wrapped) == 0 {
			lines = append(lines, "")
		}
		for _, l := range wrapped {
			lines = append(lines, indent+l)
		}
	}
	return strings.Join(lines, "\n")
}
