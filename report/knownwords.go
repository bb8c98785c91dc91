package report

import (
	"fmt"
	"math"
	"strings"

	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/stats"
)

// patience is the most extra seconds that anybody is advised to spend on
// precision.
const patience = 3600.

// convergedWords says how well figures are known and what that took.
func convergedWords(k analysis.Known) string {
	text := fmt.Sprintf("%s known to %s after %s of measuring", shareOf(k.Met, k.Of, "figure"), within(k.Wanted), quantity.Duration(k.Measured))
	if saved := k.Fixed - k.Measured; saved > 0 && 2*k.Met >= k.Of {
		text += fmt.Sprintf("; a fixed 3 × 60 s each would take %s: %s saved", quantity.Duration(k.Fixed), quantity.Duration(saved))
	}
	return text + "."
}

// notConvergedWords says which figures had not converged when the time was up.
func notConvergedWords(k analysis.Known, run string) string {
	var names []string
	few := false
	for _, o := range k.Open {
		width := within(o.Wide)
		switch {
		case o.Wide == 0:
			width, few = "no interval yet", true // the spread is unknown
		case o.Wide <= k.Wanted:
			width += ", needs one more repeat to confirm" // see stats.Precise
		case width == within(k.Wanted):
			width = "just over " + width
		}
		names = append(names, fmt.Sprintf("%s (%s)", o.Title, width))
	}
	text := fmt.Sprintf("Not converged to %s within the time budget: %s.", within(k.Wanted), prose.Enumerate(names, 3))
	switch {
	case few:
		return text + fmt.Sprintf(" Estimating the time needed takes at least %d repeats of each.", stats.LeastForInterval)
	case k.Needs == 0:
		return text + " More time need not help: they change with the time, the order or the load of the machine."
	case k.Needs > patience:
		return text + " More repeats won't fix that soon: find out why they vary."
	}
	return text + fmt.Sprintf(" Another %s should be enough: assay run --resume %s --time-budget %s.", quantity.DurationTwo(k.Needs), run, budgetWord(k.Needs))
}

// shareOf returns "All 6 figures are" or "4 of 6 figures are".
func shareOf(n, of int, what string) string {
	switch {
	case of == 1:
		return "The " + what + " is"
	case n == of:
		return fmt.Sprintf("All %d %ss are", of, what)
	case n == 1:
		return fmt.Sprintf("1 of %d %ss is", of, what)
	}
	return fmt.Sprintf("%d of %d %ss are", n, of, what)
}

// within formats a precision: "± 2 %", "± 0.5 %", "± 31 %".
func within(share float64) string {
	return "± " + strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", 100*share), "0"), ".") + " %"
}

// budgetWord returns a budget sufficient for so many seconds, as a flag value.
func budgetWord(seconds float64) string {
	return fmt.Sprintf("%dm", int(math.Ceil(seconds*1.2/60))+1)
}
