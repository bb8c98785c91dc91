package analysis

import (
	"math"
	"slices"

	"assay"
	"assay/stats/precision"
)

// fixedSeconds is what a figure takes whoever measures it by the book, whatever
// its spread: three times a minute.
const fixedSeconds = 3 * 60.

// Known says how well the run's figures are known, where that was wanted.
type Known struct {
	Wanted   float64     `json:"wanted"`   // how far an interval reaches, as a share of the figure
	Met      int         `json:"met"`      // figures that are known so
	Of       int         `json:"of"`       // figures that were to be
	Measured float64     `json:"measured"` // s that those that are took, warm-ups too
	Fixed    float64     `json:"fixed"`    // s that 60 s x 3 of each of them take
	Ended    int         `json:"ended"`    // repeats that ended before their time, their mean being known
	Open     []Imprecise `json:"open"`     // the others, the one known worst first
	Needs    float64     `json:"needs"`    // s that the others take about, all hosts at once
}

// Imprecise is a figure that did not converge.
type Imprecise struct {
	Trial  string  `json:"trial"`
	Title  string  `json:"title"`
	Metric string  `json:"metric"`
	Wide   float64 `json:"wide"` // how far it reaches, as a share; 0 where there is no interval
	N      int     `json:"n"`
	More   int     `json:"more"`    // about how many more repeats it takes
	Needs  float64 `json:"seconds"` // s that these take
}

// known sums up what precision.Of says of the results; nil where nothing was
// wanted. What has no figure at all is an absence and not counted here, nor is
// what the audit rejected: however precise, it is not known.
func known(run assay.Run) *Known {
	k := Known{Open: []Imprecise{}}
	byHost := map[string]float64{}
	for _, r := range run.Results {
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
		one.Needs = float64(s.More) * measuring(r) / float64(len(r.Repeats))
		k.Open = append(k.Open, one)
		byHost[r.Trial.Subject.Host] += one.Needs
		k.Needs = max(k.Needs, byHost[r.Trial.Subject.Host])
	}
	if k.Of == 0 {
		return nil
	}
	slices.SortStableFunc(k.Open, func(a, b Imprecise) int { return compareWide(b, a) })
	return &k
}

// rejectedFigure says that a finding rejects a metric of a trial.
func rejectedFigure(run assay.Run, trial, metric string) bool {
	return slices.ContainsFunc(run.Findings, func(f assay.Finding) bool {
		return f.Severity == assay.Rejects && f.Subject == trial && (len(f.Metrics) == 0 || slices.Contains(f.Metrics, metric))
	})
}

// compareWide orders by how badly a figure is known; one without an interval is
// known worst.
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

// measuring is how long the repeats of a result took in all, in s.
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
