package report

import (
	"strings"
	"testing"

	"assay/analysis"
	"assay/analysis/fitness"
)

// A figure rejected for its scatter is shown as the range of its repeats, and the verdict
// says that even the slowest was enough.
func TestAFitByScatteredFigures(t *testing.T) {
	use := func(scattered bool) analysis.Fits {
		reads := fitness.Fitness{
			Use: fitness.Databases, Grade: fitness.Good, By: fitness.Threshold{Measure: fitness.RandomReads, Least: 3000},
			Reading: fitness.Reading{Value: 61.5e3, Low: 7.8e3, High: 85.4e3, Scattered: scattered},
		}
		return analysis.Fits{{Hosts: []string{"vm"}, Uses: []analysis.FitUse{{Fitness: reads}}}}
	}
	for scattered, want := range map[bool][2]string{
		false: {"Storage: good for databases.", "random reads 61.5k IOPS"},
		true:  {"Storage: good for databases, even in the slowest repeat.", "random reads 7.80k IOPS to 85.4k IOPS"},
	} {
		g := use(scattered)
		if got := fitWords(g); got != want[0] {
			t.Errorf("the verdict is %q, want %q", got, want[0])
		}
		if got := fitsOf(g)[0].Uses[0].found(); !strings.Contains(got, want[1]) {
			t.Errorf("what decides is %q, want %q", got, want[1])
		}
	}
}
