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
