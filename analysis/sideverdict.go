package analysis

import (
	"slices"

	"assay/analysis/hypotheses"
)

// mostOutliers is how many outliers a verdict names before counting the rest,
// mostAdvice how many it gives advice on.
const (
	mostOutliers = 5
	mostAdvice   = 5
)

// sidePoints returns what several hosts show: who stands out and why, and what not to
// trust. Each host's strengths are in the tables; here they would make the host look
// odd.
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
	if none := f.Side.comparable(); none.Rows > 0 && len(out) == 0 && len(f.Side.Without) == 0 {
		p.fine = []Point{{Note, none}}
		if none.Alike == none.Rows && len(p.doubts)+len(p.wrong) == 0 {
			p.fine[0].Tone = Good
		}
	}
	for _, two := range f.twoHosts() {
		if two.Tone == Doubt {
			p.wrong = append(p.wrong, two)
		} else {
			p.fine = append(p.fine, two)
		}
	}
	return p
}

// withoutPoints names the hosts that lack figures others have.
func (f Found) withoutPoints() []Point {
	var out []Point
	for _, w := range f.Side.Without {
		out = append(out, Point{Bad, w})
	}
	return out
}

// unlikePoints names the hosts whose facts differ from the others'. If nothing else is
// reported about the host, that is a doubt: it was compared with unlike hosts.
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

// tone tells hosts at their limit from faulty ones.
func (o Outlier) tone() Tone {
	if o.Why != nil && o.Why.Known() && o.Why.Slower && o.Why.Certainty != hypotheses.Undecided {
		return Limit
	}
	return Bad
}

// sideAdvice returns what to do about the hosts that stand out, or else what to
// do about a single host.
func (f Found) sideAdvice() []Point {
	var out []Point
	once := false
	for _, o := range f.Outliers {
		if !o.Better && len(out) < mostAdvice {
			out = append(out, Point{Next, Mend{o}})
			once = once || o.Worst.Once && o.Peer == "" || o.Heat != nil && o.Heat.Once
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

// likenNext returns the advice if nobody stands out: that for a single host, and making
// unlike hosts alike, which comes first if nothing disturbed the run.
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
