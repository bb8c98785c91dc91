package analysis

import (
	"slices"

	"assay/analysis/hypotheses"
)

// mostOutliers is how many of them a verdict names before it counts the rest,
// mostAdvice how many of them it gives advice on.
const (
	mostOutliers = 5
	mostAdvice   = 5
)

// sidePoints are what several hosts show: who stands out and why, and what is not to
// be believed. What each host is good at is in the tables; said here it would read as
// if the host were odd.
func (f Found) sidePoints() points {
	out := f.standingOut()
	p := points{
		wrong:  slices.Concat(f.interrupted(), worse(out), f.withoutPoints(), f.awayPoints(), f.health()),
		doubts: slices.Concat(f.company(), f.rejected()),
		rest:   f.unlikePoints(),
		aside:  slices.Concat(f.lacking(), f.Known.Points()),
		next:   f.sideAdvice(),
	}
	if len(worse(out)) == 0 && len(f.Side.Without) == 0 {
		p.fine = out
	}
	return p
}

// withoutPoints name the hosts that lack figures which others have.
func (f Found) withoutPoints() []Point {
	var out []Point
	for _, w := range f.Side.Without {
		out = append(out, Point{Bad, w})
	}
	return out
}

// unlikePoints name the hosts whose facts are not like the others'.
func (f Found) unlikePoints() []Point {
	var out []Point
	for _, u := range f.Side.Unlike {
		out = append(out, Point{Note, u})
	}
	return out
}

// worse leaves out that nobody stands out.
func worse(out []Point) []Point {
	return slices.DeleteFunc(slices.Clone(out), func(p Point) bool { return p.Tone == Good })
}

// standingOut names the hosts that are worse than the others.
func (f Found) standingOut() []Point {
	var out []Point
	left := 0
	for _, o := range f.Outliers {
		switch {
		case o.Better:
		case len(out) == mostOutliers:
			left++
		default:
			out = append(out, Point{o.tone(), o})
		}
	}
	if left > 0 {
		out = append(out, Point{Bad, More{left, "outlier"}})
	}
	if rows := f.Side.comparable(); len(out) == 0 && rows > 0 {
		out = append(out, Point{Good, NoneStandsOut{rows}})
	}
	return out
}

// tone tells what does what it can from what is faulty.
func (o Outlier) tone() Tone {
	if o.Why != nil && o.Why.Known() && o.Why.Slower && o.Why.Certainty != hypotheses.Undecided {
		return Limit
	}
	return Bad
}

// sideAdvice is what to do about the hosts that stand out, or else what one
// would do about a single host.
func (f Found) sideAdvice() []Point {
	var out []Point
	once := false
	for _, o := range f.Outliers {
		if !o.Better && len(out) < mostAdvice {
			out = append(out, Point{Next, Mend{o}})
			once = once || o.Worst.Once && o.Peer == ""
		}
	}
	for _, w := range f.Side.Without {
		if w.Hint != "" && len(out) < mostAdvice {
			out = append(out, Point{Next, Obtain{w}})
		}
	}
	if len(out) == 0 {
		return f.nextStep()
	}
	out = append(out, f.returning()...)
	if once {
		out = append(out, Point{Next, SingleReadings{}})
	}
	return out
}
