package report

import (
	"assay"
	"assay/analysis"
	"assay/internal/quantity"
)

// Interval prints where the median lies: "[57.9k, 59.3k]", or "" where one
// repeat is all there is.
func Interval(f Figure) string {
	if f.Level == 0 || f.N < 2 {
		return ""
	}
	return "[" + quantity.Of(f.Metric, f.Low) + ", " + quantity.Of(f.Metric, f.High) + "]"
}

// Count prints what a figure rests on: "n=6 × 5 s".
func Count(f Figure) string { return analysis.Count(f) }

// Spread prints the half-width of the interval as a share: "± 1.2 %", "" where
// there is no interval.
func Spread(f Figure) string { return analysis.Spread(f) }

// Quantity prints a value of a metric with its unit: "58.9k IOPS", "412 µs".
func Quantity(metric string, v float64) string { return quantity.Of(metric, v) }

// Amount prints a value in a base unit with a decimal prefix.
func Amount(v float64, u assay.Unit) string { return quantity.Amount(v, u) }

// Bytes prints a size with a binary prefix: "512 MiB".
func Bytes(n int64) string { return quantity.Bytes(n) }

// Short prints a value with its prefix but without its unit, and the unit.
func Short(metric string, v float64) (number, unit string) { return quantity.Short(metric, v) }

// Heading names a figure with its unit: "IOPS", "bandwidth in B/s".
func Heading(label, metric string) string { return quantity.Heading(label, metric) }

// CommonCount says what all the figures of some cells rest on, "n=6 × 5 s"; ""
// where they differ or there are none.
func CommonCount(rows ...[]SideCell) string { return analysis.CommonCount(rows...) }

// Layer names the part of a machine that a metric is about.
func Layer(metric string) string { return analysis.Layer(metric) }
