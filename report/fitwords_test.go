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

// The verdict's reason is the range or the interval that made it borderline, as in the
// table.
func TestWhatMakesAFitBorderlineIsSaid(t *testing.T) {
	for _, c := range []struct {
		of   fitness.Fitness
		want string
	}{
		{fitness.Fitness{
			Use: fitness.Databases, By: fitness.Threshold{Measure: fitness.RandomReads, Least: 3000, Source: fitness.Source{Name: "gp3"}},
			Reading: fitness.Reading{Value: 61.5e3, Low: 1.9e3, High: 85.4e3, Scattered: true},
		}, "Storage: borderline for databases: random reads reach 1.90k IOPS to 85.4k IOPS, databases want at least 3,000 IOPS (gp3)."},
		{fitness.Fitness{
			Use: fitness.Etcd, By: fitness.Threshold{Measure: fitness.SyncWriteP99, Most: .01, Source: fitness.Source{Name: "etcd FAQ"}},
			Reading: fitness.Reading{Value: 9e-3, Low: 8e-3, High: 11e-3},
		}, "Storage: borderline for etcd: synchronous writes take 9.00 ms [8.00 ms, 11.0 ms] (p99), etcd wants at most 10 ms (etcd FAQ)."},
	} {
		c.of.Grade = fitness.Borderline
		g := analysis.Fits{{Hosts: []string{"vm"}, Uses: []analysis.FitUse{{Fitness: c.of}}}}
		if got := fitWords(g); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if u := fitsOf(g)[0].Uses[0]; !strings.Contains(c.want, u.measured()) {
			t.Errorf("the table says %q", u.measured())
		}
	}
}
