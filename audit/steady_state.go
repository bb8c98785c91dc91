package audit

import (
	"fmt"
	"strings"

	"assay"
	"assay/stats"
)

var steadyState = Rule{
	ID: "steady-state", Number: 32, Applies: "all", Severities: "E",
	Title:   "Not in steady state",
	Formula: "five equal windows of the samples of all counted repeats (from 25 samples on), or else the last five repeats: range of the means > 20 % of their mean, or |4 x slope| > 10 % of it; several repeats must also follow a trend (Mann-Kendall p < 5 %), otherwise it is noise, which rule cov judges. A drive that is written full once may have a cliff, which rule slc-cliff words: then the samples before it and those after it must be steady",
	Source:  "SNIA Solid State Storage Performance Test Specification, steady state over five rounds",
	Example: "94, 97, 100, 103, 106: range 12.0 % (at most 20 %), slope 12.0 % (at most 10 %)",
	Check: func(e Evidence) []assay.Finding {
		const id = "steady-state"
		var found []assay.Finding
		for _, l := range e.looks() {
			for _, metric := range l.timed() {
				if l.untilSteady(metric) {
					continue // its figure is from the steady rounds
				}
				series, of := l.samples(metric), "windows of the samples"
				if len(series) < steadySamples {
					series, of = l.values(metric), "repeats"
					series = series[max(0, len(series)-stats.SteadyRounds):]
				}
				s, ok := stats.SteadyState(series)
				if !ok && l.foreign() {
					found = append(found, l.unchecked(id, []string{metric}, "the figure over time",
						fmt.Sprintf("output once a second shows it (%d seconds or more): fio --status-interval=1, sysbench --report-interval=1", steadySamples)))
					continue
				}
				if !ok {
					found = append(found, l.unchecked(id, []string{metric}, "the figure over time",
						fmt.Sprintf("this needs %d samples a second apart or %d repeats, and there are %d and %d", steadySamples, stats.SteadyRounds, len(l.samples(metric)), len(l.values(metric)))))
					continue
				}
				if s.Steady || l.scattered(metric) || strings.HasPrefix(metric, "storage.write.") && l.fillsOverCliff() {
					continue
				}
				found = append(found, l.finding(id, assay.Rejects, []string{metric},
					fmt.Sprintf("%s, %s, %s, %s, %s (%s): range %s (at most %s), slope %s (at most %s)",
						inUnit(metric, s.Rounds[0]), inUnit(metric, s.Rounds[1]), inUnit(metric, s.Rounds[2]), inUnit(metric, s.Rounds[3]), inUnit(metric, s.Rounds[4]),
						of, percent(s.Range), percent(stats.SteadyRange), percent(s.Line), percent(stats.SteadyLine)),
					"the figure depends on when it was measured: steady state was not reached",
					"let it run until it settles: "+l.settled()))
			}
		}
		return found
	},
}

// untilSteady reports whether the figure is from the last rounds of a load that ran until
// they were steady.
func (l look) untilSteady(metric string) bool {
	for _, r := range l.reps {
		if m := r.Measurement(metric); m == nil || m.Labels["steady"] != "yes" {
			return false
		}
	}
	return len(l.reps) > 0
}

// timed returns the figures whose time of measurement matters; for somebody
// else's single run these include a pool's.
func (l look) timed() []string {
	if !l.foreign() {
		return l.headlines()
	}
	var found []string
	for _, metric := range l.figures() {
		if !strings.HasPrefix(metric, "object.") {
			found = append(found, metric)
		}
	}
	return found
}

// settled says how to let the figure settle.
func (l look) settled() string {
	again := ""
	if l.foreign() {
		again = l.longer(10 * againRuntime)
	}
	return orDefault(again, "a longer warm-up, or more and longer repeats")
}

// scattered reports whether several repeats differ without a trend. Five noisy
// values fail the criterion by chance one time in seven at a coefficient of
// variation of 5 %: a busy machine is not an unsteady subject.
func (l look) scattered(metric string) bool {
	values := l.values(metric)
	return len(values) >= stats.SteadyRounds && !(stats.Trend(values) < trendLevel)
}

// inUnit formats a headline's value.
func inUnit(metric string, v float64) string {
	if m, ok := assay.Describe(metric); ok && m.Unit == assay.BytesPerSecond {
		return rate(v)
	}
	return figure(v)
}
