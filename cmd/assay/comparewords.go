package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/compare"
	"assay/report"
	"assay/stats"
)

// rowTitle names a figure: the trial, and what of it, as far as the title and the
// unit do not say it.
func rowTitle(r compare.Row) string {
	_, what, _ := strings.Cut(r.Metric, ".")
	var words []string
	for _, w := range strings.Split(what, ".") {
		if w != "iops" && w != "events_per_second" && !strings.Contains(strings.ToLower(r.Title), w) {
			words = append(words, strings.ReplaceAll(w, "_", "."))
		}
	}
	title := r.Title
	if len(words) > 0 {
		title += ", " + strings.Join(words, " ")
	}
	if r.Subject != "" && !r.Told {
		title += " on " + r.Subject
	}
	if r.Direction != "" {
		title += ", back"
	}
	return title
}

// cellText prints a median with its spread, and with what it rests on where that
// is not said once for all.
func cellText(r compare.Row, c *compare.Cell, counts bool) string {
	text := report.Quantity(r.Metric, c.Median)
	if spread := report.Spread(reported(r, c)); spread != "" {
		text += " " + spread
	} else {
		text += " ± ?"
	}
	if counts {
		text += " " + restsOn(c)
	}
	return text
}

func reported(r compare.Row, c *compare.Cell) report.Figure {
	return report.Figure{Metric: r.Metric, Value: c.Median, Low: c.Low, High: c.High, Level: c.Level, N: c.N, Seconds: c.Seconds}
}

func restsOn(c *compare.Cell) string {
	if c.Unit == "runs" {
		return fmt.Sprintf("n=%d runs", c.N)
	}
	if c.Seconds == 0 {
		return fmt.Sprintf("n=%d", c.N)
	}
	// Tools stop some ms early or late.
	digits := 1
	if c.Seconds >= 10 {
		digits = 0
	}
	length := strconv.FormatFloat(c.Seconds, 'f', digits, 64)
	return fmt.Sprintf("n=%d × %s s", c.N, strings.TrimSuffix(length, ".0"))
}

// sameCount is what all the figures rest on; "" where that differs.
func sameCount(c compare.Comparison) string {
	common := ""
	for _, r := range c.Rows {
		for _, cell := range r.Cells {
			switch {
			case cell == nil:
			case common == "":
				common = restsOn(cell)
			case common != restsOn(cell):
				return ""
			}
		}
	}
	return common
}

// ratioText prints a ratio with its interval, or, where there is none, how much
// more it is.
func ratioText(r compare.Row, a *compare.Against) string {
	switch {
	case a == nil:
		return ""
	case a.Difference != nil:
		return differenceOf(r.Metric, *a.Difference)
	case a.Ratio == 0:
		return "no values"
	case a.Level == 0:
		return fmt.Sprintf("%s [?]", ratio(a.Ratio))
	}
	return fmt.Sprintf("%s [%s–%s]", ratio(a.Ratio), ratio(a.Low), ratio(a.High))
}

// differenceOf prints how much more a figure is.
func differenceOf(metric string, d compare.Interval) string {
	text := report.Quantity(metric, d.Center)
	if d.Center >= 0 {
		text = "+" + text
	}
	if d.Level == 0 {
		return text + " [?]"
	}
	return fmt.Sprintf("%s [%s, %s]", text, report.Quantity(metric, d.Low), report.Quantity(metric, d.High))
}

// ratio prints three decimals near 1, where they matter, and three digits beyond.
func ratio(v float64) string {
	switch {
	case v >= 1000:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

func verdictText(c *compare.Cell) string {
	a := c.Against
	switch {
	case a == nil:
		return ""
	case a.Verdict == compare.Undetermined && a.More > 0:
		return fmt.Sprintf("%s: about %d more %s each", a.Verdict, a.More, c.Unit)
	case a.Verdict == compare.Undetermined && a.Why != "":
		return fmt.Sprintf("%s: %s", a.Verdict, a.Why)
	case a.Verdict == compare.Undetermined || a.Verdict == compare.Equivalent:
		return string(a.Verdict)
	case a.Holm < .001:
		return string(a.Verdict) + ", p<0.001"
	}
	return fmt.Sprintf("%s, p=%.3f", a.Verdict, a.Holm)
}

// summary counts the verdicts, and says what they rest on.
func summary(c compare.Comparison, rests string) string {
	counts := map[compare.Verdict]int{}
	level := 0.
	for _, r := range c.Rows {
		for _, cell := range r.Cells {
			if cell != nil && cell.Against != nil {
				counts[cell.Against.Verdict]++
				level = math.Max(level, cell.Against.Level)
			}
		}
	}
	var words []string
	for _, v := range []compare.Verdict{compare.Slower, compare.IsWorse, compare.Faster, compare.IsBetter, compare.IsHigher, compare.IsLower, compare.Equivalent, compare.Undetermined} {
		if counts[v] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[v], v))
		}
	}
	text := list(words) + ". Medians"
	if rests != "" {
		text += " of " + rests
	}
	text += fmt.Sprintf("; ± is how far their %.0f %% interval reaches, ± ? is fewer than %d", 100*stats.Confidence, stats.LeastForInterval)
	if level > 0 {
		text += "; ratios have theirs in brackets"
	}
	if counts[compare.Equivalent] > 0 {
		text += fmt.Sprintf("; equivalent is a %.0f %% interval of the ratio within ± %.0f %%", 100*stats.EquivalenceLevel, 100*stats.Margin)
	}
	if c.Tests > 1 {
		text += fmt.Sprintf("; p is corrected for %d comparisons (Holm)", c.Tests)
	}
	return text + "."
}

// differenceText prints a difference: "kernel: 6.8.12 | 6.11.0".
func differenceText(d compare.Difference) string {
	values := slices.Clone(d.Values)
	for i, v := range values {
		n, err := strconv.ParseInt(v, 10, 64)
		switch {
		case v == "":
			values[i] = "not said"
		case err == nil && n >= 1024 && slices.Contains([]string{"size", "bs", "block"}, d.Name):
			values[i] = report.Bytes(n)
		case d.Name == "seconds":
			values[i] = v + " s"
		}
	}
	return d.Name + ": " + strings.Join(values, " | ")
}
