package analysis

import (
	"math"
	"slices"

	"assay"
	"assay/internal/order"
	"assay/stats/precision"
)

// fixedSeconds is how long a figure takes by the book, whatever its spread:
// three times a minute.
const fixedSeconds = 3 * 60.

// Known is how precisely the run's figures are known, if a precision was
// requested.
type Known struct {
	Wanted   float64     `json:"wanted"`   // how far an interval reaches, as a share of the figure
	Met      int         `json:"met"`      // figures that are known so
	Of       int         `json:"of"`       // figures that were to be
	Measured float64     `json:"measured"` // s that those that are took, warm-ups too
	Fixed    float64     `json:"fixed"`    // s that 60 s x 3 of each of them take
	Ended    int         `json:"ended"`    // repeats that ended before their time, their mean being known
	Open     []Imprecise `json:"open"`     // the others, the one known worst first
	// Needs is how many more s are enough for the open figures, including this run's
	// overhead besides measuring. It is 0 if that cannot be predicted: one of them has
	// too few repeats for an interval, or changes with time or load, so that more
	// repeats would differ.
	Needs float64 `json:"needs"`
}

// Imprecise is a figure that did not converge.
type Imprecise struct {
	Trial  string  `json:"trial"`
	Title  string  `json:"title"`
	Metric string  `json:"metric"`
	Wide   float64 `json:"wide"` // how far it reaches, as a share; 0 where there is no interval
	N      int     `json:"n"`
	More   int     `json:"more"`    // about how many more repeats it takes
	Needs  float64 `json:"seconds"` // s that are enough for these, or 0 where there is no telling
}

// ample is the factor by which the estimate of missing repeats is raised to be enough:
// the interval width behind it is itself a guess, and with the plain estimate, two
// figures of five still do not converge.
const ample = 3

// restless are the rules that report unequal repeats: more of them need not settle
// anything.
var restless = []string{"order-effect", "steady-state", BusyRule}

// known sums up what precision.Of returns for the results; nil if no precision
// was requested. Results without a figure are absences and not counted here,
// nor is what the audit rejected: however precise, it is not known.
func known(run assay.Run) *Known {
	var k Known
	all, untold := 0., false
	for _, r := range run.Results {
		all += measuring(r)
		s, ok := precision.Of(r)
		if !ok || s.N == 0 || rejectedFigure(run, r.Trial.ID, s.Metric) {
			continue
		}
		k.Of++
		k.Wanted = max(k.Wanted, s.Wanted)
		k.Ended += endedEarly(r)
		if s.Met {
			k.Met++
			k.Measured += measuring(r)
			k.Fixed += fixedSeconds
			continue
		}
		one := Imprecise{Trial: r.Trial.ID, Title: r.Trial.Title, Metric: s.Metric, N: s.N, More: s.More}
		if !math.IsInf(s.Wide, 0) {
			one.Wide = s.Wide
		}
		if one.Wide > 0 && !isRestless(run, r.Trial.ID) {
			one.Needs = ample * float64(s.More) * measuring(r) / float64(len(r.Repeats))
		}
		untold = untold || one.Needs == 0
		k.Open = append(k.Open, one)
		k.Needs += one.Needs
	}
	if k.Of == 0 {
		return nil
	}
	switch {
	case untold:
		k.Needs = 0
	case all > 0 && run.Elapsed > 0:
		k.Needs *= run.Elapsed.Seconds() / all
	}
	order.Stable(k.Open, func(a, b Imprecise) int { return compareWide(b, a) })
	return &k
}

// rejectedFigure reports whether a finding rejects a metric of a trial.
func rejectedFigure(run assay.Run, trial, metric string) bool {
	return slices.ContainsFunc(run.Findings, func(f assay.Finding) bool {
		return f.Severity == assay.Rejects && f.Subject == trial && (len(f.Metrics) == 0 || slices.Contains(f.Metrics, metric))
	})
}

func isRestless(run assay.Run, trial string) bool {
	return slices.ContainsFunc(run.Findings, func(f assay.Finding) bool {
		return f.Subject == trial && f.Severity != assay.NotChecked && f.Severity != assay.Informs && slices.Contains(restless, f.Rule)
	})
}

// compareWide orders figures by how imprecise they are; one without an interval
// is the worst.
func compareWide(a, b Imprecise) int {
	width := func(i Imprecise) float64 {
		if i.Wide == 0 {
			return math.Inf(1)
		}
		return i.Wide
	}
	switch x, y := width(a), width(b); {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// measuring returns how long the repeats of a result took in total, in s.
func measuring(r assay.Result) float64 {
	sum := 0.
	for _, rep := range r.Repeats {
		sum += rep.Elapsed.Seconds()
	}
	return sum
}

// endedEarly counts the repeats whose tool was asked to end.
func endedEarly(r assay.Result) int {
	n := 0
	for _, rep := range r.Counted() {
		if m := rep.Measurement("tool.duration"); m != nil && m.Labels["ended"] == "asked" {
			n++
		}
	}
	return n
}
