package audit

import (
	"fmt"
	"strings"

	"assay"
)

var samplesTotal = Rule{
	ID: "samples-total", Number: 101, Applies: "fio", Severities: "W I",
	Title:   "The samples and the whole run differ",
	Formula: "mean of fio's own samples of the bandwidth, of ten and more, against the bandwidth of the run: 1.1 x apart I, 1.5 x W, or I where an operation takes half a second or more on average; of a group the mean of one job or of all, whichever is nearer",
	Source:  "fio takes samples only while jobs run, every half second of each (bwavgtime), and none of those in which the job completed nothing (stat.c, __add_samples); the whole it divides by the time of the longest job, a flush at its end included; the limits are a choice",
	Example: "the samples average 521 MB/s, the whole run 114 MB/s: 4.55 x",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.fioRuns() {
			if !l.foreign() {
				continue
			}
			for _, dir := range l.directions() {
				if f := l.samplesDiffer("storage." + dir + ".bandwidth"); f != nil {
					found = append(found, *f)
				}
			}
		}
		return found
	},
}

// samplesDiffer compares a bandwidth with the mean of fio's samples of it.
func (l look) samplesDiffer(metric string) *assay.Finding {
	whole, ok := l.median(metric)
	own, printed := parseFloat(l.metricLabel(metric+".stddev", "mean"))
	n, counted := parseCount(l.metricLabel(metric+".stddev", "samples"))
	// fio before 2.99 did not print the sample count: assume as many as the run time
	// allows, for one job, because the mean may be of a single one.
	ran, _, known := l.runtime()
	if !counted && known && own > whole {
		n, counted = int(min(ran/sampleWindow, 1<<30)), true
	}
	if !ok || !printed || !counted || n < leastSample || !(own > 0) || !(whole > 0) {
		return nil
	}
	// For a group, old versions print the mean of one job, newer ones the sum.
	apart := own / whole
	if jobs, _ := parseCount(l.label("", "jobs")); jobs > 1 {
		if all := own * float64(jobs) / whole; distance(all) < distance(apart) {
			own, apart = own*float64(jobs), all
		}
	}
	if distance(apart) <= samplesApart {
		return nil
	}
	severity, message := assay.Informs, "not all jobs ran to the end, or the run waited for something: the figure mixes different phases"
	if distance(apart) > samplesFar {
		severity = assay.Warns
	}
	if each, known := l.meanLatency(strings.TrimSuffix(metric, "bandwidth")); apart > 1 && known && each >= sampleWindow {
		severity, message = assay.Informs, fmt.Sprintf("an operation took %s, and fio takes no sample of a half second in which a job completed nothing: the samples cover only the others, so quote the figure of the whole run", seconds(each))
	} else if apart > 1 {
		message = "the samples are faster than the whole run: the remaining time went to a final flush, a job that finished late, or a stall"
	}
	f := l.finding("samples-total", severity, []string{metric},
		fmt.Sprintf("the samples average %s, the whole run %s: %s", rate(own), rate(whole), times(apart)), message,
		"let all jobs run for the same time: --time_based --runtime=60, and look at the samples: --status-interval=1")
	return &f
}

// meanLatency returns an operation's mean latency from submission, or else the
// printed completion latency.
func (l look) meanLatency(stem string) (float64, bool) {
	if v, ok := l.median(stem + "latency.total.mean"); ok {
		return v, true
	}
	return l.median(stem + "latency.mean")
}

// distance returns how many times the larger of two amounts is the smaller,
// from their ratio.
func distance(ratio float64) float64 {
	if ratio < 1 && ratio > 0 {
		return 1 / ratio
	}
	return ratio
}
