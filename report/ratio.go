package report

import (
	"fmt"
	"strconv"
	"strings"

	"assay/compare"
	"assay/internal/quantity"
)

// Ratio formats the ratio of a figure to the base's, with its interval: "1.12
// [1.05–1.19]"; a difference if the metric has no ratio.
func Ratio(metric string, a *compare.Against) string {
	switch {
	case a == nil:
		return ""
	case a.Difference != nil:
		return differenceOf(metric, *a.Difference)
	case a.Ratio == 0:
		return "no values"
	case a.Level == 0:
		return fmt.Sprintf("%s [?]", ratio(a.Ratio))
	}
	return fmt.Sprintf("%s [%s–%s]", ratio(a.Ratio), ratio(a.Low), ratio(a.High))
}

// differenceOf formats how much higher a figure is.
func differenceOf(metric string, d compare.Interval) string {
	text := quantity.Of(metric, d.Center)
	if d.Center >= 0 {
		text = "+" + text
	}
	if d.Level == 0 {
		return text + " [?]"
	}
	return fmt.Sprintf("%s [%s, %s]", text, quantity.Of(metric, d.Low), quantity.Of(metric, d.High))
}

// ratio prints three decimals near 1, where they matter, and three digits
// elsewhere.
func ratio(v float64) string {
	switch {
	case v >= 1000:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v > 0 && v < .1:
		return fmt.Sprintf("%#.3g", v)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// againstBase returns the ratio of a tier's figure to the base's, and its interval:
// ~ if the two cannot be told apart.
func againstBase(c TierCell, metric string) []string {
	text, interval, _ := strings.Cut(Ratio(metric, c.Against), " [")
	if c.Against.Difference == nil && c.Against.Ratio > 0 {
		text += " ×"
	}
	if c.Same() {
		text = "~ " + text
	}
	if interval != "" {
		interval = "[" + interval
	}
	return filled(text, interval)
}
