package report

import (
	"fmt"
	"strings"
	"testing"

	"assay"
	"assay/analysis"
)

func TestKnownSentences(t *testing.T) {
	open := []analysis.Imprecise{{Title: "reads", Wide: .0834}, {Title: "writes", Wide: .031}, {Title: "mix"}, {Title: "scan", Wide: .03}}
	for _, tt := range []struct {
		k    *analysis.Known
		want string
	}{
		{nil, "[]"},
		{&analysis.Known{Wanted: .02, Met: 9, Of: 9, Measured: 280, Fixed: 1620}, "All 9 figures are known to ± 2 % after 4.67 min of measuring; a fixed 3 × 60 s each would take 27.0 min: 22.3 min saved."},
		{&analysis.Known{Wanted: .02, Met: 1, Of: 1, Measured: 281, Fixed: 180}, "The figure is known to ± 2 % after 4.68 min of measuring."},
		{&analysis.Known{Wanted: .005, Met: 1, Of: 2, Measured: 100, Fixed: 180, Open: open[:1], Needs: 200},
			"1 of 2 figures is known to ± 0.5 % after 100 s of measuring; a fixed 3 × 60 s each would take 3.00 min: 80.0 s saved." +
				"|Not converged to ± 0.5 % within the time budget: reads (± 8.3 %). Another 3.33 min should be enough: assay run --resume r1 --time-budget 5m."},
		{&analysis.Known{Wanted: .02, Of: 2, Open: []analysis.Imprecise{{Title: "reads", Wide: .0204}, {Title: "writes", Wide: .016}}, Needs: 20},
			"Not converged to ± 2 % within the time budget: reads (just over ± 2 %); writes (± 1.6 %, needs one more repeat to confirm). Another 20 s should be enough: assay run --resume r1 --time-budget 2m."},
		{&analysis.Known{Wanted: .02, Of: 4, Open: open},
			"Not converged to ± 2 % within the time budget: reads (± 8.3 %); writes (± 3.1 %); mix (no interval yet); and 1 more. Estimating the time needed takes at least 6 repeats of each."},
		{&analysis.Known{Wanted: .02, Of: 4, Open: open[:2]},
			"Not converged to ± 2 % within the time budget: reads (± 8.3 %); writes (± 3.1 %). More time need not help: they change with the time, the order or the load of the machine."},
		{&analysis.Known{Wanted: .02, Of: 4, Open: open[:2], Needs: 1e6},
			"Not converged to ± 2 % within the time budget: reads (± 8.3 %); writes (± 3.1 %). More repeats won't fix that soon: find out why they vary."},
	} {
		var texts []string
		for _, s := range verdictOf(tt.k.Points(), assay.Run{ID: "r1"}) {
			texts = append(texts, s.Text)
		}
		got := strings.Join(texts, "|")
		if tt.k == nil {
			got = fmt.Sprint(texts)
		}
		if got != tt.want {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
}
