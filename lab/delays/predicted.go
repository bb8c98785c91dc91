package delays

import (
	"fmt"
	"math"
	"strings"

	"assay"
	"assay/analysis"
	"assay/stats"
)

// Predicted is a change with what a run before it promised, and what a run after it had.
type Predicted struct {
	Change, Figure, Unit string
	Before, Then, After  float64
	Inside               bool // the interval has what was measured
}

// Error is how far the promise was from what was measured, as a share of it.
func (p Predicted) Error() float64 { return p.Then/p.After - 1 }

// Hold predicts from a run what a change brings to the synchronous writes of a tier, and holds
// it against those of a tier in a run after it; an error where either has none.
func Hold(change string, before assay.Run, of string, after assay.Run, in string) (Predicted, error) {
	c, err := analysis.ParseChange(change)
	if err != nil {
		return Predicted{}, err
	}
	writes := func(p analysis.Prediction, tier string) bool {
		return p.Storage == tier && p.Unit == assay.PerSecond
	}
	for _, p := range analysis.Predict(before, []analysis.Change{c}) {
		if !writes(p, of) || p.Then == nil || p.Then.Unknown != "" {
			continue
		}
		for _, m := range analysis.Predict(after, nil) {
			if writes(m, in) {
				return Predicted{Change: change, Figure: "synchronous writes of " + of, Unit: "IOPS", Before: p.Now, Then: p.Then.Value, After: m.Now,
					Inside: p.Then.Low <= m.Now && m.Now <= p.Then.High}, nil
			}
		}
	}
	return Predicted{}, fmt.Errorf("%s: nothing of %s is predicted, or measured after", change, of)
}

// PredictedTable is Markdown, with the median of the errors.
func PredictedTable(all []Predicted) string {
	var t strings.Builder
	var errs []float64
	inside := 0
	for _, p := range all {
		errs = append(errs, math.Abs(p.Error()))
		if p.Inside {
			inside++
		}
	}
	if len(errs) > 0 {
		fmt.Fprintf(&t, "Median error %.0f %%; %d of %d within the interval.\n\n", 100*stats.Median(errs), inside, len(all))
	}
	t.WriteString("| change | figure | before | predicted | measured | error |\n| --- | --- | ---: | ---: | ---: | ---: |\n")
	for _, p := range all {
		fmt.Fprintf(&t, "| `%s` | %s | %.4g %s | %.4g | %.4g | %+.0f %% |\n", p.Change, p.Figure, p.Before, p.Unit, p.Then, p.After, 100*p.Error())
	}
	return t.String()
}
