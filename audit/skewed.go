package audit

import (
	"fmt"

	"assay"
)

var skewed = Rule{
	ID: "skewed", Number: 100, Applies: "anything with a latency", Severities: "I",
	Title:   "A few slow operations dominate the mean",
	Formula: "in imported output: mean latency > 3 x the median, or > 2 x with a p99 of 10 means and more; if no median was printed, standard deviation > 3 x the mean, or a mean above p99",
	Source:  "a choice: an exponential distribution has a mean of 1.44 medians and a deviation of one mean, a lognormal one with sigma 1.5 a mean of 3.08 medians and a deviation of 2.9 means",
	Example: "a mean of 10.2 ms against a median of 1.07 ms: 9.54 x",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if !l.foreign() {
				continue // its percentiles and histogram show it
			}
			for _, stem := range latencyStems {
				if f := l.leans(stem); f != nil {
					found = append(found, *f)
				}
			}
		}
		return found
	},
}

// leans reports a mean far from what most operations took; nil if it is not, or
// unknown.
func (l look) leans(stem string) *assay.Finding {
	metric := stem + "latency.mean"
	mean, ok := l.median(metric)
	if !ok || !(mean > 0) {
		return nil
	}
	sum := ""
	slow, tailed := l.median(assay.PercentileMetric(stem, 99))
	if median, known := l.median(assay.PercentileMetric(stem, 50)); known && median > 0 {
		if mean > skewedMean*median || mean > skewedTail*median && tailed && slow > tailMeans*mean {
			sum = fmt.Sprintf("a mean of %s against a median of %s: %s", seconds(mean), seconds(median), times(mean/median))
		}
	} else if deviation, known := l.median(stem + "latency.stddev"); known && deviation > skewedMean*mean {
		sum = fmt.Sprintf("a deviation of %s against a mean of %s: %s", seconds(deviation), seconds(mean), times(deviation/mean))
	} else if tailed && slow > 0 && mean > slow {
		sum = fmt.Sprintf("a mean of %s against a p99 of %s: %s", seconds(mean), seconds(slow), times(mean/slow))
	}
	if sum == "" {
		return nil
	}
	f := l.finding("skewed", assay.Informs, []string{metric}, sum,
		"most operations were much faster than this mean, and a few much slower: it describes neither", "quote p50 and p99 instead")
	return &f
}
