package report

import (
	"fmt"
	"math"
	"strings"

	"assay/internal/prose"
	"assay/internal/quantity"
)

// patience is how many seconds more anybody is advised to spend on precision.
const patience = 3600.

// knownSentences say how well figures are known and what that took, and which of
// them had not converged when the time was up.
func knownSentences(d Document) []Sentence {
	k := d.Known
	if k == nil {
		return nil
	}
	var out []Sentence
	if k.Met > 0 {
		text := fmt.Sprintf("%s known to %s after %s of measuring", shareOf(k.Met, k.Of, "figure"), within(k.Wanted), quantity.Duration(k.Measured))
		if saved := k.Fixed - k.Measured; saved > 0 {
			text += fmt.Sprintf("; a fixed 3 × 60 s each would take %s: %s saved", quantity.Duration(k.Fixed), quantity.Duration(saved))
		}
		out = append(out, Sentence{"note", text + "."})
	}
	if len(k.Open) == 0 {
		return out
	}
	var names []string
	for _, o := range k.Open {
		width := "no interval yet"
		if o.Wide > 0 {
			width = within(o.Wide)
		}
		names = append(names, fmt.Sprintf("%s (%s)", o.Title, width))
	}
	text := fmt.Sprintf("Not converged to %s within the time budget: %s.", within(k.Wanted), prose.Enumerate(names, 3))
	if k.Needs > patience {
		text += " More repeats won't fix that soon: find out why they vary."
	} else {
		text += fmt.Sprintf(" About %s more should be enough: assay run --resume %s --time-budget %s.", quantity.DurationTwo(k.Needs), d.Run.ID, budgetWord(k.Needs))
	}
	return append(out, Sentence{"note", text})
}

// shareOf is "All 6 figures are" or "4 of 6 figures are".
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

// within writes a precision: "± 2 %", "± 0.5 %", "± 31 %".
func within(share float64) string {
	return "± " + strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", 100*share), "0"), ".") + " %"
}

// budgetWord is a budget that is enough for so many seconds, as a flag takes it.
func budgetWord(seconds float64) string {
	return fmt.Sprintf("%dm", int(math.Ceil(seconds*1.2/60))+1)
}
