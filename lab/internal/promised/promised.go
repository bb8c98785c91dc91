package promised

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/quantity"
	"assay/stats"
)

// Row is a figure before a change, as predicted, and after it.
type Row struct {
	Change, Figure      string
	Metric              string
	Before, Then, After float64
	Inside              bool // whether the interval contains After
}

// Error returns the relative error of the prediction.
func (r Row) Error() float64 { return r.Then/r.After - 1 }

// Hold predicts the effects of a change from a run before it, and pairs each prediction with
// the same figure, as decided by same, of a run after it. figure names it. Figures without a
// prediction or a later measurement are left out.
func Hold(c analysis.Change, before, after assay.Run, figure func(analysis.Prediction) string, same func(before, after analysis.Prediction) bool) []Row {
	measured := analysis.Predict(after, nil)
	var all []Row
	for _, p := range analysis.Predict(before, []analysis.Change{c}) {
		if p.Then == nil || p.Then.Unknown != "" {
			continue
		}
		for _, m := range measured {
			if m.Metric == p.Metric && same(p, m) {
				all = append(all, Row{Change: c.String(), Figure: figure(p), Metric: p.Metric, Before: p.Now, Then: p.Then.Value, After: m.Now,
					Inside: p.Then.Low <= m.Now && m.Now <= p.Then.High})
				break
			}
		}
	}
	return all
}

// Table returns a Markdown table with the median error, also per figure if there are
// several.
func Table(all []Row) string {
	var t strings.Builder
	inside := 0
	var figures []string
	errs := map[string][]float64{}
	for _, r := range all {
		if r.Inside {
			inside++
		}
		if errs[r.Figure] == nil {
			figures = append(figures, r.Figure)
		}
		errs[r.Figure] = append(errs[r.Figure], math.Abs(r.Error()))
	}
	if len(all) > 0 {
		every := slices.Concat(slices.Collect(maps.Values(errs))...)
		fmt.Fprintf(&t, "%d predictions: the median error is %.0f %%, and %d were within their intervals.", len(all), 100*stats.Median(every), inside)
	}
	if len(figures) > 1 {
		var words []string
		for _, f := range figures {
			words = append(words, fmt.Sprintf("%s %.0f %% (%d)", f, 100*stats.Median(errs[f]), len(errs[f])))
		}
		fmt.Fprintf(&t, " By figure: %s.", strings.Join(words, ", "))
	}
	if len(all) > 0 {
		t.WriteString("\n\n")
	}
	t.WriteString("| change | figure | before | predicted | measured | error |\n| --- | --- | ---: | ---: | ---: | ---: |\n")
	for _, r := range all {
		of := func(v float64) string { return quantity.Of(r.Metric, v) }
		fmt.Fprintf(&t, "| `%s` | %s | %s | %s | %s | %+.0f %% |\n", r.Change, r.Figure, of(r.Before), of(r.Then), of(r.After), 100*r.Error())
	}
	return t.String()
}
