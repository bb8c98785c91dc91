package report

import (
	"math"

	"assay"
	"assay/compare"
	"assay/internal/quantity"
)

// TierBars is what a case is about, as a bar for each column: from nothing up,
// the highest figure that is believed is 1.
type TierBars struct {
	Title string // of the case, with its figure: "4 KiB random read, IOPS"
	Bars  []TierBar
}

// TierBar is the figure of one column.
type TierBar struct {
	Column   string
	Length   float64 // 0 to 1
	Beyond   bool    // it is longer: what is rejected may be
	Low      float64 // of its interval, from 0 to what the highest's is; both 0 where there is none
	High     float64
	Value    string
	Rejected bool
	Figure   *Figure
	// Against is what it is to the base: "6.89 × faster", "~ 1.01 ×", "≠ other load";
	// "" where it is not compared.
	Against string
	Absent  *assay.Absence // there is no figure, nor anything else
}

// BarsOf draws the headlines of a table; what only one column has is no picture.
func BarsOf(t TierTable) []TierBars {
	var all []TierBars
	for _, r := range t.Rows {
		if !r.Headline {
			continue
		}
		if one := barsOfRow(r, t.Columns); len(one.Bars) > 1 && highest(r, true) > 0 {
			all = append(all, one)
		}
	}
	return all
}

func barsOfRow(r TierRow, columns []string) TierBars {
	whole := highest(r, false)
	if whole == 0 {
		whole = highest(r, true)
	}
	out := TierBars{Title: r.Title + ", " + r.Label}
	for i, c := range r.Cells {
		f := c.Figure
		if c.Absent != nil {
			out.Bars = append(out.Bars, TierBar{Column: columns[i], Absent: c.Absent})
		}
		if f == nil || !(f.Value >= 0) || math.IsInf(f.Value, 0) || whole == 0 {
			continue
		}
		bar := TierBar{Column: columns[i], Value: quantity.Of(r.Metric, f.Value), Rejected: f.Rejected, Figure: f, Against: againstInWords(c)}
		bar.Length, bar.Beyond = min(f.Value/whole, 1), f.Value > whole
		if f.Level > 0 {
			bar.Low, bar.High = max(f.Low/whole, 0), f.High/whole
		}
		out.Bars = append(out.Bars, bar)
	}
	return out
}

// highest is the highest figure of a row, of those that are believed or of all.
func highest(r TierRow, all bool) (most float64) {
	for _, c := range r.Cells {
		if f := c.Figure; f != nil && (all || !f.Rejected) && !math.IsInf(f.Value, 0) {
			most = max(most, f.Value)
		}
	}
	return most
}

// againstInWords says what a figure is to the base's.
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
	return quantity.Three(factor(a.Ratio)) + " × " + howBetter(a.Verdict)
}

// factor is how many times one is the other, whichever is more.
func factor(ratio float64) float64 { return max(ratio, 1/ratio) }

// howBetter is the comparative of a verdict.
func howBetter(v compare.Verdict) string {
	switch v {
	case compare.Faster, compare.IsBetter:
		return "faster"
	case compare.Slower, compare.IsWorse:
		return "slower"
	case compare.IsHigher:
		return "higher"
	}
	return "lower"
}
