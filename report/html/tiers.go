package html

import (
	"fmt"
	"strings"

	"assay/compare"
	"assay/report"
	"assay/report/versus"
)

// tiersView is kinds of storage beside each other.
type tiersView struct {
	Tables  []tierTable
	Columns []report.TierColumn
	Binds   []tierBind
	Notes   []string
}

type tierTable struct {
	Anchor  string
	Title   string
	Note    string
	Legend  string
	Columns []string
	Span    int         // of a row that is one cell
	Groups  [][]sideRow // the rows of each case
	Refused []string
	Bars    []tierBars
}

// tierBars is a picture of what one case is about.
type tierBars struct {
	Title string
	Bars  []tierBar
}

// tierBar is a figure as a bar; lengths are in percent of the picture.
type tierBar struct {
	report.TierBar
	Width    string
	Interval *[2]string
}

// Words say the bar to those who do not see it.
func (b tierBar) Words() string {
	if b.Beyond {
		return "more than the highest that is believed"
	}
	return shareWords(b.Length) + " of the highest"
}

const (
	// tierBarsEnd is where the picture ends, as a share of the highest figure that is
	// believed: what is rejected may be beyond it.
	tierBarsEnd = 1.08
	least       = .004 // of the same, is what can be seen
)

func newTierBars(all []report.TierBars) (out []tierBars) {
	place := func(share float64) string { return percent(min(share/tierBarsEnd, 1)) }
	// Something is never drawn as nothing.
	length := func(share float64) string { return place(max(share, least)) }
	for _, one := range all {
		picture := tierBars{Title: one.Title}
		for _, b := range one.Bars {
			bar := tierBar{TierBar: b, Width: length(b.Length)}
			if b.Beyond {
				bar.Width = percent(1)
			}
			if b.High > b.Low {
				bar.Interval = &[2]string{place(b.Low), place(b.High)}
			}
			picture.Bars = append(picture.Bars, bar)
		}
		out = append(out, picture)
	}
	return out
}

// tierBind is what bounds a figure, with its icon.
type tierBind struct {
	Kind string
	Icon string
	Text string
	Sum  string
}

func newTiers(t *report.Tiers) *tiersView {
	if t == nil {
		return nil
	}
	v := &tiersView{Columns: t.Columns, Notes: t.Notes}
	for i, table := range t.Tables {
		view := tierTable{
			Anchor: fmt.Sprintf("tiers-%d", i+1), Title: table.Title, Note: table.Note,
			Legend: report.TierLegend(table, "below"), Columns: table.Columns, Span: len(table.Columns) + 1, Refused: table.Refused,
			Bars: newTierBars(report.BarsOf(table)),
		}
		count := table.Count()
		for j, r := range table.Rows {
			own := count
			row := sideRow{Title: r.Label}
			if own == "" {
				own = report.CommonCount(r.Sides())
				row.Under = own
			}
			for k, c := range r.Cells {
				row.Cells = append(row.Cells, newTierCell(c, table.Columns[k], r.Metric, own))
			}
			if !table.Continues(j) {
				row.Head, row.Settings = r.Title, r.Settings
				view.Groups = append(view.Groups, nil)
			}
			last := len(view.Groups) - 1
			view.Groups[last] = append(view.Groups[last], row)
		}
		v.Tables = append(v.Tables, view)
	}
	for _, b := range t.Binds {
		v.Binds = append(v.Binds, tierBind{kindOf(b.Kind), iconOf(b.Kind), b.Text, b.Arithmetic()})
	}
	return v
}

// newTierCell is a figure with what it is to the base: the ratio, and its
// interval below it.
func newTierCell(c report.TierCell, column, metric, count string) sideCell {
	out := newSideCell(c.SideCell, column, count)
	out.Refused = c.Refused
	if c.Against == nil {
		return out
	}
	ratio, interval, found := strings.Cut(versus.Ratio(compare.Row{Metric: metric}, c.Against), " [")
	if c.Against.Difference == nil && c.Against.Ratio > 0 {
		ratio += " ×"
	}
	if found {
		interval = "[" + interval
	}
	out.Ratio, out.Reach, out.Verdict, out.Same = ratio, interval, string(c.Against.Verdict), c.Same()
	return out
}
