package html

import (
	_ "embed" // of the template and the style
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"assay/compare"
	"assay/report"
	"assay/report/versus"
)

//go:embed compare.tmpl
var compareSource string

//go:embed compare.css
var compareStyle string

// compareTemplate shares the small templates of the report's page.
var compareTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(parsePage().New("compare").Parse(compareSource))
})

// Compared is a comparison with what its page shows beyond it.
type Compared struct {
	compare.Comparison
	Curves  []compare.Curve // latencies, as of compare.Curves
	Dates   []Dates         // of each column
	Version string          // of assay
}

// Dates are when the first and the last run of a column began.
type Dates struct{ First, Last time.Time }

// WriteComparison writes c to w as one HTML page. The errors are those of w.
func WriteComparison(w io.Writer, c Compared) error {
	return writeComparison(w, c, built(dist))
}

func writeComparison(w io.Writer, c Compared, b bundle) error {
	p, err := newComparePage(c, b)
	if err != nil {
		return fmt.Errorf("prepare the HTML comparison: %w", err)
	}
	if err := execute(w, compareTemplate(), p); err != nil {
		return fmt.Errorf("write the HTML comparison: %w", err)
	}
	return nil
}

// comparePage is what the template sees.
type comparePage struct {
	Title    string
	Policy   string
	Style    template.CSS
	Script   template.JS // "" in a build without the bundle
	Data     template.JS
	Licences string
	Version  string
	Columns  []columnView
	Chosen   bool // one of them is more than one run
	Tally    []tallied
	Verdict  []sentence
	Basis    string
	Tests    int
	Forest   forest
	Layers   []layerView
	Facts    unlikeView
	Settings unlikeView
	Refused  unlikeView
	Alone    []versus.Alone
	Notes    []string
	Curves   []curveView
	Spreads  []spreadView
	More     []spreadView // folded away
}

// columnView is one side of the comparison.
type columnView struct {
	key
	Runs      string
	Hosts     string
	Selection string
	Dates     string
}

// unlikeView is what differs between the columns.
type unlikeView struct {
	Letters []string
	Rows    []unlikeRow
}

type unlikeRow struct {
	Name   string
	Values []string
	In     string
}

func newComparePage(c Compared, b bundle) (comparePage, error) {
	plots := newComparePlots(c)
	data, err := json.Marshal(plots)
	if err != nil {
		return comparePage{}, err
	}
	p := comparePage{
		Style: template.CSS(style + compareStyle), Script: template.JS(b.script), //nolint:gosec // our own files, embedded at build
		Data:     template.JS(data), //nolint:gosec // encoding/json has escaped what could end the element
		Licences: b.licences, Policy: policy(b.script), Version: c.Version,
		Tests: c.Tests, Notes: c.Notes, Basis: versus.Basis(c.Comparison, versus.SameCount(c.Comparison)),
		Verdict: compareVerdict(c.Comparison), Tally: compareTally(c.Comparison),
		Forest: newForest(c.Comparison), Layers: newLayers(c.Comparison), Alone: versus.Lone(c.Comparison),
		Facts:    newUnlike(c.Comparison, c.Rows, versus.Facts),
		Settings: newUnlike(c.Comparison, c.Rows, versus.Settings),
		Refused:  newUnlike(c.Comparison, c.Refused, versus.Settings),
		Curves:   plots.curveViews(c), Spreads: plots.spreadViews(),
	}
	if len(p.Spreads) > atOnce {
		p.Spreads, p.More = p.Spreads[:atOnce], p.Spreads[atOnce:]
	}
	var names []string
	for i, h := range c.Columns {
		v := columnView{key: keyOf(i), Runs: versus.Runs(h), Hosts: versus.Hosts(h), Selection: versus.Selection(h)}
		if i < len(c.Dates) {
			v.Dates = c.Dates[i].words()
		}
		p.Chosen = p.Chosen || v.Selection != ""
		p.Columns = append(p.Columns, v)
		names = append(names, strings.TrimPrefix(h.Name, "run="))
	}
	p.Title = strings.Join(names, " vs ")
	return p, nil
}

// words are the one date, or from which to which.
func (d Dates) words() string {
	const form = "2006-01-02 15:04 MST"
	switch {
	case d.First.IsZero():
		return ""
	case d.Last.Equal(d.First) || d.Last.IsZero():
		return d.First.Format(form)
	}
	return d.First.Format(form) + " to " + d.Last.Format(form)
}

// compareVerdict says of every column in one sentence what it is to the base.
func compareVerdict(c compare.Comparison) []sentence {
	var all []sentence
	for i := 1; i < len(c.Columns); i++ {
		only := c
		only.Rows = nil
		for _, r := range c.Rows {
			if r.Cells[i] != nil {
				r.Cells = []*compare.Cell{r.Cells[0], r.Cells[i]}
				only.Rows = append(only.Rows, r)
			}
		}
		letter, tally := versus.Letter(i), versus.Tally(only)
		if len(tally) == 0 {
			all = append(all, sentence{Kind: "next", Icon: "absent", Word: letter, Text: "has no figure that is compared with A."})
			continue
		}
		kind := lookOf(tally[0].Verdict).Kind
		var words []string
		for _, t := range tally {
			words = append(words, fmt.Sprintf("%d %s", t.N, t.Verdict))
			if kind == "bad" && lookOf(t.Verdict).Kind == "good" {
				kind = "doubt" // both ways: no one word for it
			}
		}
		text := strings.Join(words, ", ")
		if n := len(words); n > 1 {
			text = strings.Join(words[:n-1], ", ") + " and " + words[n-1]
		}
		all = append(all, sentence{Kind: kind, Icon: iconOf(kind), Word: letter, Text: fmt.Sprintf("Of %s, against A: %s.", plural(len(only.Rows), "figure"), text)})
	}
	return all
}

// compareTally counts what a reader must not overlook.
func compareTally(c compare.Comparison) []tallied {
	out := []tallied{{"plain", plural(len(c.Rows), "figure") + " compared"}}
	add := func(n int, kind, text string) {
		if n > 0 {
			out = append(out, tallied{kind, fmt.Sprintf("%d %s", n, text)})
		}
	}
	for _, t := range versus.Tally(c) {
		add(t.N, lookOf(t.Verdict).Kind, string(t.Verdict))
	}
	add(len(c.Refused), "doubt", "refused")
	add(len(versus.Lone(c)), "next", "without a partner")
	return out
}

func newUnlike(c compare.Comparison, rows []compare.Row, of func(compare.Row) []compare.Difference) unlikeView {
	var v unlikeView
	for i := range c.Columns {
		v.Letters = append(v.Letters, versus.Letter(i))
	}
	for _, d := range versus.Differences(rows, of) {
		row := unlikeRow{Name: d.Name, Values: versus.Values(d.Difference), In: strings.Join(d.In, "; ")}
		if d.All {
			row.In = "all"
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// layerView is the figures of one layer of the machine.
type layerView struct {
	Anchor string
	Title  string
	Rows   []comparedRow
	Many   bool // more than one column is held against the base
}

type comparedRow struct {
	Title string
	Base  cell
	Cells []comparedCell
}

// comparedCell is one column's figure against the base's.
type comparedCell struct {
	cell
	key
	look
	Ratio   string
	P       string
	Verdict string
	Open    string // what would decide it
}

func newLayers(c compare.Comparison) []layerView {
	var all []layerView
	for _, l := range layersOf(c.Rows) {
		v := layerView{Anchor: fmt.Sprintf("layer-%d", len(all)+1), Title: l.title, Many: len(c.Columns) > 2}
		for _, r := range l.rows {
			row := comparedRow{Title: versus.Title(r), Base: medianCell(r, r.Cells[0])}
			for i, cell := range r.Cells[1:] {
				one := comparedCell{cell: medianCell(r, cell), key: keyOf(i + 1)}
				if cell != nil && cell.Against != nil {
					a := cell.Against
					one.Ratio, one.Verdict, one.Open, one.look = versus.Ratio(r, a), string(a.Verdict), versus.Open(cell), lookOf(a.Verdict)
					if a.Level > 0 || a.Difference != nil && a.Difference.Level > 0 {
						one.P = strings.TrimPrefix(versus.P(a), "=")
					}
				}
				row.Cells = append(row.Cells, one)
			}
			v.Rows = append(v.Rows, row)
		}
		all = append(all, v)
	}
	return all
}

func medianCell(r compare.Row, c *compare.Cell) cell {
	if c == nil {
		return cell{Empty: true}
	}
	out := newCell(versus.Figure(r, c), "given below")
	if out.Spread == "" {
		out.Spread = "± ?"
	}
	out.Count = versus.RestsOn(c)
	return out
}

// layer is some rows of one part of the machine, as in a report's sections.
type layer struct {
	title string
	rows  []compare.Row
}

// layersOf groups rows by layer, both in the order of their first.
func layersOf(rows []compare.Row) []*layer {
	var all []*layer
	at := map[string]*layer{}
	for _, r := range rows {
		title := report.Layer(r.Metric)
		if at[title] == nil {
			at[title] = &layer{title: title}
			all = append(all, at[title])
		}
		at[title].rows = append(at[title].rows, r)
	}
	return all
}
