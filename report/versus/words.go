package versus

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

// Title names a figure: the trial, and the part that its title and the unit do
// not show.
func Title(r compare.Row) string {
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

// Median formats a median with its spread, and with what it rests on unless
// that is said once for all.
func Median(r compare.Row, c *compare.Cell, counts bool) string {
	text := report.Quantity(r.Metric, c.Median)
	if spread := report.Spread(Figure(r, c)); spread != "" {
		text += " " + spread
	} else {
		text += " ± ?"
	}
	if counts {
		text += " " + RestsOn(c)
	}
	return text
}

// Figure returns the cell as a report figure.
func Figure(r compare.Row, c *compare.Cell) report.Figure {
	return report.Figure{Metric: r.Metric, Value: c.Median, Low: c.Low, High: c.High, Level: c.Level, N: c.N, Seconds: c.Seconds}
}

// RestsOn says how many repeats, or runs, a median covers, and how long each
// measured: "n=8 × 5 s".
func RestsOn(c *compare.Cell) string {
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

// SameCount returns what all figures rest on, or "" if they differ.
func SameCount(c compare.Comparison) string {
	common := ""
	for _, r := range c.Rows {
		for _, cell := range r.Cells {
			switch {
			case cell == nil:
			case common == "":
				common = RestsOn(cell)
			case common != RestsOn(cell):
				return ""
			}
		}
	}
	return common
}

// Ratio formats a ratio with its interval, or the difference if there is no
// ratio.
func Ratio(r compare.Row, a *compare.Against) string {
	return report.Ratio(r.Metric, a)
}

// Verdict returns the word for a comparison, with its p or with what would
// decide it.
func Verdict(c *compare.Cell) string {
	a := c.Against
	switch {
	case a == nil:
		return ""
	case Open(c) != "":
		return fmt.Sprintf("%s: %s", a.Verdict, Open(c))
	case a.Verdict == compare.Undetermined || a.Verdict == compare.Equivalent:
		return string(a.Verdict)
	}
	if a.Likely {
		return fmt.Sprintf("very likely %s, p%s", a.Verdict, P(a))
	}
	return fmt.Sprintf("%s, p%s", a.Verdict, P(a))
}

// Open says what would decide an undetermined comparison, or why that is unknown;
// "" if it is decided.
func Open(c *compare.Cell) string {
	a := c.Against
	switch {
	case a == nil || a.Verdict != compare.Undetermined:
		return ""
	case a.More == 1:
		return fmt.Sprintf("about 1 more %s each", strings.TrimSuffix(c.Unit, "s"))
	case a.More > 0:
		return fmt.Sprintf("about %d more %s each", a.More, c.Unit)
	}
	return a.Why
}

// P formats the corrected p: "<0.001", "=0.012".
func P(a *compare.Against) string {
	if a.Holm < .001 {
		return "<0.001"
	}
	return fmt.Sprintf("=%.3f", a.Holm)
}

// Tallied is the number of comparisons with one verdict.
type Tallied struct {
	Verdict compare.Verdict
	N       int
}

// order is the order in which verdicts are listed: the worse first.
var order = []compare.Verdict{
	compare.Slower, compare.IsWorse, compare.Faster, compare.IsBetter, compare.IsHigher, compare.IsLower, compare.Equivalent, compare.Undetermined,
}

// Tally counts the verdicts of a comparison; verdicts that do not occur are
// left out.
func Tally(c compare.Comparison) []Tallied {
	counts := map[compare.Verdict]int{}
	for _, a := range judged(c) {
		counts[a.Verdict]++
	}
	var all []Tallied
	for _, v := range order {
		if counts[v] > 0 {
			all = append(all, Tallied{v, counts[v]})
		}
	}
	return all
}

// Counts returns the tally in words: "2 slower, 1 equivalent".
func Counts(c compare.Comparison) string {
	var words []string
	for _, t := range Tally(c) {
		words = append(words, fmt.Sprintf("%d %s", t.N, t.Verdict))
	}
	return strings.Join(words, ", ")
}

// Basis says in one sentence what the medians, intervals and verdicts rest on.
func Basis(c compare.Comparison, rests string) string {
	level, equivalent, likely := 0., false, false
	for _, a := range judged(c) {
		level = math.Max(level, a.Level)
		equivalent = equivalent || a.Verdict == compare.Equivalent
		likely = likely || a.Likely
	}
	text := "Medians"
	if rests != "" {
		text += " of " + rests
	}
	text += fmt.Sprintf("; ± is the half-width of the %.0f %% interval, ± ? means fewer than %d repeats", 100*stats.Confidence, stats.LeastForInterval)
	if level > 0 {
		text += "; ratios have their interval in brackets"
	}
	if equivalent {
		text += fmt.Sprintf("; equivalent is a %.0f %% interval of the ratio within ± %.0f %%", 100*stats.EquivalenceLevel, 100*stats.Margin)
	}
	if likely {
		text += fmt.Sprintf("; very likely is p < %v by a model of how repeats spread, where they are too few for a test by ranks", stats.LikelyAlpha)
	}
	if c.Tests > 1 {
		text += fmt.Sprintf("; p is corrected for %d comparisons (Holm)", c.Tests)
	}
	return text + "."
}

// judged returns every comparison that was made.
func judged(c compare.Comparison) (all []*compare.Against) {
	for _, r := range c.Rows {
		for _, cell := range r.Cells {
			if cell != nil && cell.Against != nil {
				all = append(all, cell.Against)
			}
		}
	}
	return all
}

// Difference formats a difference: "kernel: 6.8.12 | 6.11.0".
func Difference(d compare.Difference) string {
	return d.Name + ": " + strings.Join(Values(d), " | ")
}

// Values returns the values of a difference in readable form, one for each
// column.
func Values(d compare.Difference) []string {
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
	return values
}

// Letter names a column, from 0: A, B, … Z, AA.
func Letter(i int) string {
	if i >= 26 {
		return Letter(i/26-1) + Letter(i%26)
	}
	return string(rune('A' + i))
}

// Runs names the runs of a column: a single run, or how many and their range.
func Runs(h compare.Head) string {
	switch n := len(h.Runs); n {
	case 0:
		return "0 runs"
	case 1:
		return h.Runs[0]
	default:
		return fmt.Sprintf("%d runs, %s to %s", n, h.Runs[0], h.Runs[n-1])
	}
}

// Selection returns what selected a column, beyond its runs; "" if that is all.
func Selection(h compare.Head) string {
	runs := "run=" + Runs(h)
	if h.Name == runs {
		return ""
	}
	return strings.TrimPrefix(h.Name, runs+" ")
}

// mostHosts is the most hosts that are all named; of more, some are.
const mostHosts = 4

// Hosts lists the hosts of a column.
func Hosts(h compare.Head) string {
	switch n := len(h.Hosts); {
	case n == 0:
		return "an unnamed host"
	case n > mostHosts:
		return fmt.Sprintf("%s and %d more", strings.Join(h.Hosts[:mostHosts-1], ", "), n-mostHosts+1)
	}
	return strings.Join(h.Hosts, ", ")
}
