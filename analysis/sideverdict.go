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
		wrong:  slices.Concat(f.interrupted(), f.cachedAbove(), out, f.withoutPoints(), f.awayPoints(), f.health()),
		doubts: slices.Concat(f.unlikePoints(Doubt), f.company(), f.rejected()),
		limits: append(f.failovers(), f.migrations()...),
		rest:   f.unlikePoints(Note),
		aside:  slices.Concat(f.lacking(), f.Known.Points()),
		next:   f.sideAdvice(),
	}
	if rows, alike := f.Side.comparable(); rows > 0 && len(out) == 0 && len(f.Side.Without) == 0 {
		p.fine = []Point{{Note, NoneStandsOut{rows, alike}}}
		if alike == rows && len(p.doubts)+len(p.wrong) == 0 {
			p.fine[0].Tone = Good
		}
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

// unlikePoints name the hosts whose facts are not like the others'. Where nothing else is
// said of the host, that is a doubt: what it was compared with is not like it.
func (f Found) unlikePoints(tone Tone) []Point {
	var out []Point
	for _, u := range f.Side.Unlike {
		if (tone == Doubt) == !u.Slow {
			out = append(out, Point{tone, u})
		}
	}
	return out
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
		return f.likenNext()
	}
	out = append(out, f.returning()...)
	if once {
		out = append(out, Point{Next, SingleReadings{}})
	}
	return out
}

// likenNext is what one would do where nobody stands out: what one would do about a single
// host, and making alike the hosts that are not; first where nothing disturbed the run.
func (f Found) likenNext() []Point {
	var liken []Point
	for _, u := range f.Side.Unlike {
		if remedy := f.mends[u.Host]; remedy != "" && len(liken) < mostAdvice {
			liken = append(liken, Point{Next, Liken{u.Host, remedy}})
		}
	}
	if len(f.company()) > 0 {
		return append(f.nextStep(), liken...)
	}
	return append(liken, f.nextStep()...)
}
