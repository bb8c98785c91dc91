package html

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
	"assay/report"
)

// mostColumns is how many figures fit beside each other; a section with more
// kinds of figure (SMART data) is written one figure a line.
const mostColumns = 7

// table is one section.
type table struct {
	Anchor  string
	Title   string
	Note    string
	Columns []string // headings of the figures; nil where each figure has its own line
	Rows    []tableRow
	Span    int    // how many columns an absence fills
	Fold    string // says what is folded away, "" where the rows are shown
	Sums    []sum  // what the folded rows come to
}

// tableRow is one trial.
type tableRow struct {
	Anchor   string
	Title    string
	Subject  string
	Settings string
	Quick    bool
	Fewer    string
	Cells    []cell // one a column, or all figures of the trial
	Count    string // what all figures of the row rest on; "" where they differ
	Spark    *spark
	Absent   *assay.Absence
}

// cell is one figure, or Empty.
type cell struct {
	Label     string
	Empty     bool
	Value     string
	Spread    string
	Interval  string
	Level     string
	Count     string // only where the row has none for all
	Rejected  bool
	Footnotes []int
	Ceiling   string
}

// sum is a figure of a network in words.
type sum struct{ Network, Name, Text string }

// fold folds the rows of a section of many links away, and sums them up.
func (t *table) fold(s report.Section, d report.Document) {
	if !d.SumsUp(s) {
		return
	}
	t.Fold = plural(len(s.Rows), "row") + ", one by one"
	for _, m := range d.Side.Networks {
		if text := m.Summary(); text != "" {
			t.Sums = append(t.Sums, sum{m.Network, m.Name(), text})
		}
	}
}

func newTable(number int, s report.Section) table {
	t := table{Anchor: fmt.Sprintf("section-%d", number), Title: s.Title, Note: s.Note}
	columns := headings(s.Rows)
	if len(columns) <= mostColumns {
		t.Columns = columns
	}
	// The figures and n; in the long form: figure, value, interval, n.
	t.Span = len(columns) + 1
	if t.Columns == nil {
		t.Span = 4
	}
	for i, r := range s.Rows {
		row := tableRow{
			Anchor: fmt.Sprintf("%s-row-%d", t.Anchor, i+1), Title: r.Title, Subject: r.Subject,
			Settings: r.Settings, Quick: r.Quick, Fewer: r.Fewer, Absent: r.Absent, Count: commonCount(r.Figures),
		}
		if len(r.Figures) == 0 && r.Absent == nil {
			// A row with nothing in it would look like a fault of the page.
			row.Absent = &assay.Absence{Word: assay.NoData, Why: "no figure was given"}
		}
		if len(r.Figures) > 0 {
			row.Spark = newSpark(r.Figures[0])
		}
		if t.Columns == nil {
			for _, f := range r.Figures {
				row.Cells = append(row.Cells, newCell(f, ""))
			}
		} else {
			for _, label := range columns {
				row.Cells = append(row.Cells, labelled(r.Figures, label, row.Count))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// headings gives every label once, in the order in which rows first use it.
func headings(rows []report.Row) []string {
	var all []string
	seen := map[string]bool{}
	for _, r := range rows {
		for _, f := range r.Figures {
			if !seen[f.Label] {
				seen[f.Label] = true
				all = append(all, f.Label)
			}
		}
	}
	return all
}

func labelled(figures []report.Figure, label, rowCount string) cell {
	for _, f := range figures {
		if f.Label == label {
			return newCell(f, rowCount)
		}
	}
	return cell{Label: label, Empty: true}
}

func newCell(f report.Figure, rowCount string) cell {
	c := cell{Label: f.Label, Value: report.Quantity(f.Metric, f.Value), Rejected: f.Rejected, Footnotes: f.Footnotes}
	// What is no number has no spread either.
	if isFinite([2]float64{f.Value, f.High - f.Low}) {
		c.Spread, c.Interval = report.Spread(f), report.Interval(f)
	}
	if c.Interval != "" {
		c.Level = strconv.FormatFloat(100*f.Level, 'f', -1, 64) + " % interval of the median"
	}
	if rowCount == "" {
		c.Count = report.Count(f)
	}
	if f.Ceiling != nil && isFinite([2]float64{f.Ceiling.Share}) {
		c.Ceiling = fmt.Sprintf("%.0f %% of %s", 100*f.Ceiling.Share, f.Ceiling.Name)
	}
	return c
}

// commonCount is what every figure rests on, or "" where they differ.
func commonCount(figures []report.Figure) string {
	common := ""
	for i, f := range figures {
		count := report.Count(f)
		if i > 0 && count != common {
			return ""
		}
		common = count
	}
	return common
}

// spark is the repeats of one figure as dots, in the order of measurement.
type spark struct {
	Width int
	Dots  [][2]string
	Words string
}

const (
	sparkHeight = 18.
	sparkStep   = 7
)

// newSpark draws repeats between zero change and their own extremes, but never
// stretches less than 2 % of the value over the picture: noise that small must
// look small.
func newSpark(f report.Figure) *spark {
	n := len(f.Repeats)
	if n < 3 || n > 40 {
		return nil
	}
	low, high := math.Inf(1), math.Inf(-1)
	words := make([]string, 0, n)
	for _, v := range f.Repeats {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		low, high = math.Min(low, v), math.Max(high, v)
		words = append(words, report.Quantity(f.Metric, v))
	}
	middle, reach := (low+high)/2, math.Max(high-low, .02*math.Abs(low+high)/2)
	if reach == 0 {
		reach = 1
	}
	s := &spark{Width: n*sparkStep + 2, Words: f.Label + " by repeat: " + strings.Join(words, ", ")}
	for i, v := range f.Repeats {
		y := sparkHeight/2 - (v-middle)/reach*(sparkHeight-6)
		s.Dots = append(s.Dots, [2]string{strconv.Itoa(i*sparkStep + sparkStep/2 + 1), strconv.FormatFloat(y, 'f', 1, 64)})
	}
	return s
}
