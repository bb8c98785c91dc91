package report

import (
	"math"

	"assay/analysis"
	"assay/internal/quantity"
	"assay/report/block"
)

// tierBars draws the headline figures of a table's cases, from zero up; the
// highest figure that is believed is 1. Figures of only one column are not drawn;
// hosts are those of the columns.
func tierBars(t TierTable, hosts map[string]string) block.Bars {
	out := block.Bars{Told: true}
	for _, r := range t.Rows {
		if !r.Headline {
			continue
		}
		if one := barsOfRow(r, t.Columns, hosts); len(one) > 1 && highest(r, true) > 0 {
			out.Bars = append(out.Bars, one...)
		}
	}
	return out
}

func barsOfRow(r TierRow, columns []string, hosts map[string]string) []block.Bar {
	whole := highest(r, false)
	if whole == 0 {
		whole = highest(r, true)
	}
	var all []block.Bar
	for i, c := range r.Cells {
		bar := block.Bar{Group: r.Title + ", " + r.Label, Title: columns[i], Absent: absentOf(c.Absent)}
		if c.Absent != nil {
			all = append(all, bar)
		}
		f := c.Figure
		if f == nil || !(f.Value >= 0) || math.IsInf(f.Value, 0) || whole == 0 {
			continue
		}
		bar.Cell, bar.Aside = figureCell(hosts[columns[i]], *f), againstInWords(c)
		bar.Share, bar.Beyond = block.Number(min(f.Value/whole, 1)), f.Value > whole
		if f.Level > 0 {
			bar.Low, bar.High = block.Number(max(f.Low/whole, 0)), block.Number(f.High/whole)
		}
		all = append(all, bar)
	}
	return all
}

// highest returns the highest figure of a row, of those that are believed or of
// all.
func highest(r TierRow, all bool) (most float64) {
	for _, c := range r.Cells {
		if f := c.Figure; f != nil && (all || !f.Rejected) && !math.IsInf(f.Value, 0) {
			most = max(most, f.Value)
		}
	}
	return most
}

// againstInWords compares a figure with the base's.
func againstInWords(c TierCell) string {
	a := c.Against
	switch {
	case c.Refused != "":
		return "≠ other load"
	case a == nil || !(a.Ratio > 0) || math.IsInf(a.Ratio, 0):
		return ""
	case c.Same():
		return "~ " + quantity.Three(a.Ratio) + " ×"
	}
	return quantity.Three(factor(a.Ratio)) + " × " + string(analysis.ThanBase(a.Verdict))
}

// factor returns the ratio or its inverse, whichever is greater.
func factor(ratio float64) float64 { return max(ratio, 1/ratio) }
