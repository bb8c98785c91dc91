package fio

import (
	"maps"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/stats"
)

// untilSteady lets a repeat continue until its rounds meet the criterion of SNIA's
// Performance Test Specification (stats.SteadyState), at most for its length. Its figures
// are then those of the last five rounds; its samples cover all rounds and show how it
// got there.
const untilSteady = "steady"

const (
	// mostRounds is the number of rounds in a repeat's length: the specification gives
	// up after 25.
	mostRounds  = 25
	leastRound  = 2 * time.Second
	roundsLabel = "steady" // yes or no
)

// roundOf returns the length of a round in a repeat that takes at most length.
func roundOf(length time.Duration) time.Duration { return max(length/mostRounds, leastRound) }

// rounds returns the means of samples over rounds of equal length, in order. A sample
// covers the time since the previous one; an unfinished round is left out.
func rounds(samples []assay.Sample, length float64) []float64 {
	var all []float64
	sum, covered, before := 0., 0., 0.
	for _, s := range samples {
		took := s.At - before
		if !(took > 0) || !stats.Finite(s.Value) {
			continue
		}
		before = s.At
		sum, covered = sum+s.Value*took, covered+took
		if s.At >= float64(len(all)+1)*length {
			all = append(all, sum/covered)
			sum, covered = 0, 0
		}
	}
	return all
}

// lastSteady judges the last five rounds; ok is false if there are fewer.
func lastSteady(all []float64) (s stats.Steady, ok bool) {
	if len(all) < stats.SteadyRounds {
		return s, false
	}
	return stats.SteadyState(all[len(all)-stats.SteadyRounds:])
}

// whenSteady returns the callback that ends a repeat of at most that length; it gets each
// second's sample.
func whenSteady(length time.Duration) func(assay.Sample) bool {
	var samples []assay.Sample
	judged := 0
	return func(now assay.Sample) bool {
		samples = append(samples, now)
		all := rounds(samples, roundOf(length).Seconds())
		if len(all) == judged {
			return false
		}
		judged = len(all)
		s, ok := lastSteady(all)
		return ok && s.Steady
	}
}

// ofLastRounds limits the rates of a repeat to its last five rounds. Figures that do not
// allow this, such as latencies, are left out.
func ofLastRounds(figures []assay.Measurement, length time.Duration) []assay.Measurement {
	var kept []assay.Measurement
	for _, m := range figures {
		rate := strings.HasSuffix(m.Metric, ".iops") || strings.HasSuffix(m.Metric, ".bandwidth")
		if strings.Contains(m.Metric, ".latency.") || strings.HasSuffix(m.Metric, ".stddev") {
			continue
		}
		if !rate {
			kept = append(kept, m)
			continue
		}
		all := rounds(m.Samples, roundOf(length).Seconds())
		s, ok := lastSteady(all)
		m.Labels = maps.Clone(m.Labels)
		m.Labels[roundsLabel] = "no"
		m.Labels["rounds"] = strconv.Itoa(len(all))
		if ok {
			m.Value = s.Mean
			if s.Steady {
				m.Labels[roundsLabel] = "yes"
			}
		}
		kept = append(kept, m)
	}
	return kept
}

// lengthOf returns the maximum runtime on a command line.
func lengthOf(argv []string) (time.Duration, bool) {
	for _, word := range argv {
		if text, is := strings.CutPrefix(word, "--runtime="); is {
			if !strings.HasSuffix(text, "s") {
				text += "s"
			}
			d, err := time.ParseDuration(text)
			return d, err == nil && d > 0
		}
	}
	return 0, false
}
