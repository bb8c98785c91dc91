package report

import (
	"fmt"
	"math"

	"assay"
	"assay/analysis"
	"assay/internal/quantity"
)

// Interval returns the interval of the median: "[57.9k, 59.3k]", or "" if there
// is only one repeat.
func Interval(f Figure) string {
	if f.Level == 0 || f.N < 2 {
		return ""
	}
	return "[" + quantity.Of(f.Metric, f.Low) + ", " + quantity.Of(f.Metric, f.High) + "]"
}

// Count prints what a figure rests on: "n=6 × 5 s".
func Count(f Figure) string {
	if f.Seconds == 0 {
		return fmt.Sprintf("n=%d", f.N)
	}
	return fmt.Sprintf("n=%d × %s", f.N, quantity.Duration(f.Seconds))
}

// Spread returns the half-width of the interval as a share: "± 1.2 %", or "" if
// there is no interval.
func Spread(f Figure) string {
	if f.Level == 0 || f.N < 2 || f.Value == 0 {
		return ""
	}
	half := math.Max(f.High-f.Value, f.Value-f.Low) / math.Abs(f.Value)
	if half > 1 {
		return "± > 100 %" // Interval shows the bounds
	}
	return "± " + quantity.Two(100*half) + " %"
}

// Number formats a figure with its spread and n, as all figures are shown.
func Number(f Figure) string {
	words := quantity.Of(f.Metric, f.Value)
	if s := Spread(f); s != "" {
		words += " " + s
	}
	return fmt.Sprintf("%s (n=%d)", words, f.N)
}

// Quantity prints a value of a metric with its unit: "58.9k IOPS", "412 µs".
func Quantity(metric string, v float64) string { return quantity.Of(metric, v) }

// Amount prints a value in a base unit with a decimal prefix.
func Amount(v float64, u assay.Unit) string { return quantity.Amount(v, u) }

// Bytes prints a size with a binary prefix: "512 MiB".
func Bytes(n int64) string { return quantity.Bytes(n) }

// Layer names the part of a machine that a metric is about.
func Layer(metric string) string { return analysis.Layer(metric) }
