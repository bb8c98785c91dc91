package compare

import (
	"assay"
	"assay/stats"
)

// judge compares every cell with the base's, and sets verdicts with p corrected
// over all of them. Refused rows are not judged.
func (c *Comparison) judge() {
	var family []stats.Comparison
	var cells []*Cell
	var metrics []assay.Metric
	for _, row := range c.Rows {
		m, _ := assay.Describe(row.Metric)
		for _, cell := range row.Cells[1:] {
			if cell == nil {
				continue
			}
			family = append(family, stats.Compare(row.Cells[0].Values, cell.Values))
			cells, metrics = append(cells, cell), append(metrics, m)
		}
	}
	stats.Judge(family, stats.Margin)
	for i, f := range family {
		cells[i].Against = against(f, metrics[i])
		if f.Difference.Level > 0 {
			c.Tests++
		}
	}
}

// against translates the statistics into the terms of the metric.
func against(f stats.Comparison, m assay.Metric) *Against {
	a := &Against{P: f.P, Holm: f.PHolm, More: f.More, Why: f.Why}
	a.Ratio, a.Low, a.High, a.Level = f.Ratio.Center, f.Ratio.Low, f.Ratio.High, f.Ratio.Level
	if !f.HasRatio && f.Base.N > 0 && f.Other.N > 0 {
		d := f.Difference
		a.Difference = &Interval{d.Center, d.Low, d.High, d.Level}
	}
	if f.Likely {
		r := f.LikelyRatio
		a.Likely, a.Ratio, a.Low, a.High, a.Level, a.Difference = true, r.Center, r.Low, r.High, r.Level, nil
	}
	switch f.Verdict {
	case stats.Different:
		a.Verdict = verdictOf(m, f.Difference.Center > 0)
	case stats.Equivalent:
		a.Verdict = Equivalent
	default:
		a.Verdict = Undetermined
	}
	return a
}
