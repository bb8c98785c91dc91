package audit

import (
	"fmt"
	"math"
	"strings"

	"assay"
	"assay/stats"
)

var cov = Rule{
	ID: "cov", Number: 34, Applies: "all", Severities: "W E I",
	Title:   "The repeats differ",
	Formula: "standard deviation / mean over at least three counted repeats > 5 % W, > 25 % E. For a single imported run: over the tool's own samples and their own mean, beyond the counting noise of that many operations, > 10 % W, > 25 % E, but by how well so many samples know the mean (taking ten in a row for one): to 5 % or better W, to 1 % or better I, unless the fastest of fifty or more is within 1.5 deviations of the mean, which are two speeds. fio's deviation of a group is that of one job: the sum of n jobs varies by at least its share / sqrt(n)",
	Source:  "the coefficient of variation; the limits are a choice",
	Example: "731 / 1,532 = 47.7 % over 119 samples of half a second",
	Check: func(e Evidence) []assay.Finding {
		const id = "cov"
		var found []assay.Finding
		for _, l := range e.looks() {
			if l.foreign() && len(l.reps) < covRepeats {
				found = append(found, l.sampleSpread()...)
				continue
			}
			for _, metric := range l.headlines() {
				values := l.values(metric)
				if len(values) < covRepeats {
					found = append(found, l.unchecked(id, []string{metric}, "spread over repeats",
						fmt.Sprintf("measure at least %d times, not %d", covRepeats, len(values))))
					continue
				}
				v := stats.CoV(values)
				if !(v > covWarn) {
					continue
				}
				severity, message := assay.Warns, "the repeats vary more than they would on a quiet machine"
				if v > covReject {
					severity, message = assay.Rejects, "the repeats measured different things: no single number represents them"
				}
				found = append(found, l.finding(id, severity, []string{metric},
					fmt.Sprintf("%s / %s = %s over %d repeats", inUnit(metric, stats.StdDev(values)), inUnit(metric, stats.Mean(values)), percent(v), len(values)),
					message, "find out what changes between repeats: other load, temperature, a cache filling up"))
			}
		}
		return found
	},
}

// sampleSpread judges the spread that a tool printed for its own samples.
func (l look) sampleSpread() []assay.Finding {
	const id = "cov"
	var found []assay.Finding
	for _, metric := range l.figures() {
		s, ok := l.spread(metric)
		if !ok {
			found = append(found, l.unchecked(id, []string{metric}, "spread of the figure",
				fmt.Sprintf("measure at least %d times; the output of fio and rados bench includes the spread of their samples", covRepeats)))
			continue
		}
		v := math.Sqrt(max(s.share*s.share-s.chance, 0))
		if !(v > sampleWarn) {
			continue
		}
		severity, message := assay.Warns, "throughput varies from second to second more than it would on a quiet machine"
		known := s.meanWithin()
		switch {
		case known <= meanVeryWell:
			severity, message = assay.Informs, "throughput varies from second to second, but so many samples know its mean to "+percent(known)+" unless it drifted, which only the samples themselves would show"
		case v > covReject && known <= meanWell:
			message = "throughput varies widely from second to second; its mean is known to " + percent(known) + ", and describes few of the seconds"
		case v > covReject:
			severity, message = assay.Rejects, "the run measured different things from second to second: no single number represents it"
		}
		advice := "find out what changes during the run: other load, temperature, a cache filling up"
		if again := l.longer(5 * againRuntime); again != "" {
			advice += "; watch it second by second: " + again
			if strings.HasPrefix(again, "fio ") {
				advice += " --status-interval=1"
			}
		}
		found = append(found, l.finding(id, severity, []string{metric}, s.sum+s.lasting(l), message, advice))
	}
	return found
}

// sampled is the spread of the samples of one run.
type sampled struct {
	share   float64 // standard deviation / mean
	chance  float64 // squared scatter from counting random operations
	samples float64 // how many; 0 if unknown
	levels  bool    // two speeds: the samples differ over time
	sum     string
}

// spread returns the deviation of a figure, or of its sister: with one block
// size, operations and bytes vary alike.
func (l look) spread(metric string) (s sampled, ok bool) {
	sisters := []string{metric}
	if stem, cut := strings.CutSuffix(metric, ".iops"); cut {
		sisters = append(sisters, stem+".bandwidth")
	} else if stem, cut := strings.CutSuffix(metric, ".bandwidth"); cut {
		sisters = append(sisters, stem+".iops")
	}
	for _, of := range sisters {
		deviation, okDeviation := l.median(of + ".stddev")
		mean, okMean := l.median(of)
		if !okDeviation || !okMean || !(mean > 0) || deviation < 0 {
			continue
		}
		n, okSamples := parseCount(l.metricLabel(of+".stddev", "samples"))
		if ran, _, known := l.runtime(); !okSamples && known && strings.HasPrefix(of, "pool.") {
			n, okSamples = int(min(ran, 1<<30)), true // Ceph's tools sample once a second
		}
		if okSamples && n < leastSample {
			continue
		}
		s = sampled{share: deviation / mean, samples: float64(n)}
		s.sum = fmt.Sprintf("%s / %s = %s", inUnit(of, deviation), inUnit(of, mean), percent(s.share))
		most, known := l.median(of + ".max")
		s.levels = known && n >= levelSamples && most < mean+levelReach*deviation
		s.chance = l.countingScatter(of, float64(n))
		if own, ok := parseFloat(l.metricLabel(of+".stddev", "mean")); ok && own > 0 {
			s = l.ofItsOwn(s, of, deviation, mean, own)
		}
		return s, true
	}
	return s, false
}

// ofItsOwn divides a deviation by the mean of the same samples. If fio added up
// several jobs, the deviation is that of one job; the mean is too, or the sum of
// all in newer versions. The sum of n independent jobs varies by 1 / sqrt(n) of
// what one does, and by more if they are not independent.
func (l look) ofItsOwn(s sampled, metric string, deviation, mean, own float64) sampled {
	jobs, _ := parseCount(l.label("", "jobs"))
	if jobs <= 1 {
		s.share = deviation / own
		s.sum = fmt.Sprintf("%s / %s = %s", inUnit(metric, deviation), inUnit(metric, own), percent(s.share))
		return s
	}
	n := float64(jobs)
	if own > mean/math.Sqrt(n) {
		own /= n // the sum of the jobs' means
	}
	s.share, s.chance = deviation/own/math.Sqrt(n), s.chance/n
	s.sum = fmt.Sprintf("%s / %s of one job / sqrt(%d jobs) = %s", inUnit(metric, deviation), inUnit(metric, own), jobs, percent(s.share))
	return s
}

// meanWithin returns how well the mean is known, as a share of it: the samples are
// assumed to be alike in runs of sampleRun. With two speeds, how long each lasted may be
// chance.
func (s sampled) meanWithin() float64 {
	if s.samples <= 0 || s.levels {
		return math.Inf(1)
	}
	return s.share / math.Sqrt(max(s.samples/sampleRun, 1))
}

// countingScatter returns the squared coefficient of variation of the number of
// operations in one sample, if they came at random: one over that number.
func (l look) countingScatter(metric string, samples float64) float64 {
	stem := strings.TrimSuffix(strings.TrimSuffix(metric, ".iops"), ".bandwidth")
	iops, ok := l.median(stem + ".iops")
	if !ok || !(iops > 0) {
		return 0
	}
	each := 1.0 // s
	if ran, _, known := l.runtime(); known && samples > 0 {
		each = ran / samples
	}
	return 1 / max(iops*each, 1)
}

// lasting describes the number and length of the samples, if both are known.
func (s sampled) lasting(l look) string {
	if s.samples <= 0 {
		return " over the samples of the tool"
	}
	each := ""
	if ran, _, known := l.runtime(); known {
		jobs, _ := parseCount(l.label("", "jobs"))
		switch v := ran / s.samples * float64(max(jobs, 1)); { // each job has samples of its own
		case math.Abs(v/.5-1) < .05:
			each = " of half a second"
		case math.Abs(v-1) < .05:
			each = " of a second"
		default:
			each = " of " + seconds(v)
		}
	}
	return fmt.Sprintf(" over %.0f samples%s", s.samples, each)
}

// metricLabel returns a label of a metric's first figure.
func (l look) metricLabel(metric, key string) string {
	for _, r := range l.reps {
		if m := r.Measurement(metric); m != nil {
			return m.Labels[key]
		}
	}
	return ""
}
