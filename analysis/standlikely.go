package analysis

import (
	"math"
	"slices"

	"assay/stats"
)

// Thresholds for likely outliers. On a busy cluster repeats scatter and the audit
// rejects their figures, yet a host that is ten times slower is still obvious. The
// thresholds follow from a model: logarithms of repeats are normal about their host's,
// and those of similar hosts about each other. Both deviations are estimated, each with
// a usual one as a prior that weighs as much as priorWeight differences.
//
// doc/statistics.md has the error rates, by simulation.
const (
	priorWeight    = 4
	hostSpread     = .1 // drives of one model differ by a tenth
	likelyRepeats  = 3  // each host needs
	likelyRatio    = 3  // to the median of the others, at least
	likelyAlone    = 5  // deviations beyond oddRatio: one row is enough
	likelyTogether = 3  // two rows are
)

// likelyOutliers finds the hosts that are worse than the others by more than their
// repeats scatter, in rows without certain outliers. Figures that the audit rejects
// for scatter are uncertain evidence, but still evidence. One row must be far off, or
// two of the same table must agree.
func (b *builder) likelyOutliers(misfits []*misfit, s *Side) []*misfit {
	for i := range s.Tables {
		t := &s.Tables[i]
		var suspects []*misfit
		alone := map[*misfit]bool{}
		marks := map[*misfit][]*SideCell{}
		for j := range t.Rows {
			r := &t.Rows[j]
			o, deviations, ok := b.suspect(s.Hosts, r)
			if !ok || isOutlier(misfits, o.key, t.ID) {
				continue
			}
			g := gather(&suspects, Standout{Host: o.key, Section: t.ID, Likely: true}, s.Hosts)
			g.add(o, *r, r.Title)
			g.about(rowLoad(*r, b.result(r.Cells[slices.Index(s.Hosts, o.key)].Trial).Trial))
			alone[g] = alone[g] || deviations >= likelyAlone
			marks[g] = append(marks[g], &r.Cells[slices.Index(s.Hosts, o.key)])
		}
		for _, g := range suspects {
			if !alone[g] && len(g.Rows) < 2 {
				continue
			}
			misfits = append(misfits, g)
			for _, c := range marks[g] {
				c.Odd = oddWord(false)
			}
		}
	}
	return misfits
}

// suspect returns the host that a row shows to be likely worse than the others.
func (b *builder) suspect(hosts []string, r *SideRow) (o odd, deviations float64, ok bool) {
	isOdd := func(c SideCell) bool { return c.Odd != "" }
	if !isJudged(r.Metric) || leastDifference[r.Metric] > 0 || slices.ContainsFunc(r.Cells, isOdd) {
		return odd{}, 0, false
	}
	var samples []sample
	for i, c := range r.Cells {
		if c.Figure != nil && (!c.Figure.Rejected || c.Figure.Scattered) {
			samples = append(samples, sampleOf(*c.Figure, hosts[i]))
		}
	}
	slow := belowOnly
	if r.Better == "lower" {
		slow = aboveOnly
	}
	o, deviations, ok = likelyOdd(samples, slow)
	return o, deviations, ok && deviations >= likelyTogether
}

// isOutlier reports whether a host is already listed as worse in a section.
func isOutlier(misfits []*misfit, host, section string) bool {
	return slices.ContainsFunc(misfits, func(g *misfit) bool { return g.Host == host && g.Section == section && !g.Better })
}

// likelyOdd finds the key that differs from all others by more than the spread of the
// repeats explains, and by how many deviations; ok is false if there is none. Each
// key has one sample.
func likelyOdd(samples []sample, wanted side) (o odd, deviations float64, ok bool) {
	n := len(samples)
	usual := stats.UsualSpread
	squares, freedom := usual*usual*priorWeight, float64(priorWeight)
	repeats, mids := make([][]float64, n), make([]float64, n)
	for i, s := range samples {
		if len(s.repeats) < likelyRepeats || !(slices.Min(s.repeats) > 0) {
			return odd{}, 0, false
		}
		for _, v := range s.repeats {
			repeats[i] = append(repeats[i], math.Log(v))
		}
		mids[i] = stats.Median(repeats[i])
		squares += spreadOf(repeats[i])
		freedom += float64(len(repeats[i]) - 1)
	}
	if n < 3 {
		return odd{}, 0, false
	}
	for i := range samples {
		others := slices.Delete(slices.Clone(mids), i, i+1)
		typical := stats.Median(others)
		below := mids[i] < typical
		if wanted == belowOnly && !below || wanted == aboveOnly && below || !beyondAll(repeats[i], others, below) {
			continue
		}
		within := (squares - spreadOf(repeats[i]) + spreadOf(towards(repeats[i], mids[i], below))) / freedom
		// The variance of a median of normal values is π/2 times that of a
		// mean.
		variance := math.Pi/2*within/float64(len(repeats[i])) + betweenHosts(others)*(1+1/float64(len(others)))
		apart := math.Abs(mids[i] - typical)
		far := (apart - math.Log(oddRatio)) / math.Sqrt(variance)
		if far > deviations && apart >= math.Log(likelyRatio) {
			deviations, ok = far, true
			o = odd{
				key: samples[i].keys[0], below: below, mid: math.Exp(mids[i]), typical: math.Exp(typical),
				from: math.Exp(slices.Min(others)), to: math.Exp(slices.Max(others)), ratio: math.Exp(apart),
				least: math.Exp(apart - 1.96*math.Sqrt(variance)), most: math.Exp(apart + 1.96*math.Sqrt(variance)), repeats: samples[i].repeats,
			}
		}
	}
	return o, deviations, ok
}

// spreadOf returns the sum of squared deviations from the mean.
func spreadOf(values []float64) (squares float64) {
	mean := stats.Mean(values)
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return squares
}

// towards returns a suspect's repeats clamped at their median: a repeat that is even
// further from the others is no evidence in its favour.
func towards(repeats []float64, mid float64, below bool) []float64 {
	out := make([]float64, len(repeats))
	for i, v := range repeats {
		if out[i] = max(v, mid); !below {
			out[i] = min(v, mid)
		}
	}
	return out
}

// beyondAll reports whether no repeat reaches the median of any other.
func beyondAll(repeats, others []float64, below bool) bool {
	if below {
		return slices.Max(repeats) < slices.Min(others)
	}
	return slices.Min(repeats) > slices.Max(others)
}

// betweenHosts returns the variance between similar hosts.
func betweenHosts(mids []float64) float64 {
	squares, mean := hostSpread*hostSpread*priorWeight, stats.Mean(mids)
	for _, m := range mids {
		squares += (m - mean) * (m - mean)
	}
	return squares / float64(priorWeight+len(mids)-1)
}
