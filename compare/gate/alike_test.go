package gate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"assay"
	"assay/compare"
)

// suiteOf returns a run of a suite of twelve cases on four hosts, each with one
// directory: 48 figures that scatter by 2 %. length is the measuring time of each
// repeat.
func suiteOf(id string, noise *rand.Rand, length time.Duration, speed float64) compare.Column {
	run := &assay.Run{ID: id, Suite: "cluster", Started: time.Unix(0, 0)}
	for host := range 4 {
		s := assay.Subject{Kind: assay.KindDirectory, Host: fmt.Sprint("pve", host+1), Name: "/srv"}
		s.ID = s.Host + "/directory/" + s.Name
		for n := range 12 {
			t := assay.Trial{Probe: "fio", Case: fmt.Sprint("case-", n), Subject: s, Length: length}
			t.ID = t.Probe + "/" + t.Case + "@" + s.ID
			r := assay.Result{Trial: t}
			for i := range 10 {
				v := 1000 * float64(n+1) * speed * math.Exp(.02*noise.NormFloat64())
				r.Repeats = append(r.Repeats, assay.Repeat{N: i + 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "storage.read.iops", Value: v}}})
			}
			run.Results = append(run.Results, r)
		}
	}
	return columnOf(run)
}

func columnOf(run *assay.Run) compare.Column {
	c := compare.Column{Name: "run=" + run.ID}
	for i := range run.Results {
		c.Picks = append(c.Picks, compare.Pick{Run: run, Result: &run.Results[i]})
	}
	return c
}

// Lengths adapt to the available time: two runs of one suite are still compared,
// figure by figure.
func TestRunsOfAdaptedLengthsPairFully(t *testing.T) {
	noise := rand.New(rand.NewPCG(5, 1))
	a, b := suiteOf("a", noise, time.Second, 1), suiteOf("b", noise, 700*time.Millisecond, 1)
	g := Judge(compare.Compare([]compare.Column{a, b}, compare.Options{}), Limits{All: .05})
	if n := g.Count(Passed, Undecided); len(g.Figures) != 48 || n != 48 {
		t.Errorf("%d of %d figures were judged", n, len(g.Figures))
	}
	for _, f := range g.Figures {
		if f.Cells[0] != nil && f.Cells[1] != nil && f.Cells[0].Trials[0] != f.Cells[1].Trials[0] {
			t.Errorf("%s is held against %s", f.Cells[1].Trials[0], f.Cells[0].Trials[0])
		}
	}
}

// A result lost on one host costs only that host's figure, is reported for it,
// and leaves no figure to be compared with another host's.
func TestWhatOneHostLostIsItsOwn(t *testing.T) {
	noise := rand.New(rand.NewPCG(5, 2))
	a, b := suiteOf("a", noise, time.Second, 1), suiteOf("b", noise, time.Second, 1)
	rejected, failed := a.Picks[2*12], b.Picks[3*12+1]
	rejected.Run.Findings = []assay.Finding{{Rule: "little", Severity: assay.Rejects, Subject: rejected.Result.Trial.ID}}
	failed.Result.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Broke, Error: "no space"}}
	g := Judge(compare.Compare([]compare.Column{a, b}, compare.Options{}), Limits{All: .05})
	if n := g.Count(Passed, Undecided); len(g.Figures) != 48 || n != 46 {
		t.Errorf("%d of %d figures were judged", n, len(g.Figures))
	}
	for _, f := range g.Figures {
		switch f.Verdict {
		case Passed, Undecided:
		case NoBase:
			if f.Case != "case-0" || f.Why != "base: the audit rejected it: little" {
				t.Errorf("no base: %s, %s", f.Case, f.Why)
			}
		case Failed:
			if f.Case != "case-1" || f.Why != "failed: no space" {
				t.Errorf("failed: %s, %s", f.Case, f.Why)
			}
		default:
			t.Errorf("%s: %s, %s", f.Title, f.Verdict, f.Why)
		}
	}
	// Even if they are all that is left on either side, they are not paired.
	a.Picks, b.Picks = []compare.Pick{a.Picks[0], rejected}, []compare.Pick{b.Picks[2*12]}
	if c := compare.Compare([]compare.Column{a, b}, compare.Options{}); len(c.Rows)+len(c.Refused) != 0 || len(c.Lone) != 3 {
		t.Errorf("%d rows; %+v", len(c.Rows), c.Lone)
	}
}
