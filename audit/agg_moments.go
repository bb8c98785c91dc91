package audit

import (
	"fmt"
	"math"

	"assay"
)

var aggMoments = Rule{
	ID: "agg-moments", Number: 44, Applies: "figures of several clients together", Severities: "E",
	Title:   "Standard deviations that were averaged",
	Formula: "of more than one client: |extreme - mean| / standard deviation > 7",
	Source:  "for a total of independent clients the means add up and so do the variances; an average of standard deviations is too small. The limit is a choice: the furthest of 600 normally distributed seconds lies at 3.2 sigma",
	Example: "3 clients: (6,078 - 5,504) MiB/s / 50.5 MiB/s = 11.4 sigma",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, p := range e.pools() {
			if p.generators() < 2 {
				continue // one client prints one series
			}
			for _, of := range []struct {
				name, unit string
				scale      float64
			}{{"bandwidth", " MiB/s", 1 << 20}, {"iops", " IOPS", 1}} {
				if f := p.farExtreme(of.name, of.unit, of.scale); f != nil {
					found = append(found, *f)
					break
				}
			}
		}
		return found
	},
}

// farExtreme checks the least or greatest second, whichever is further off.
func (p pooled) farExtreme(name, unit string, scale float64) *assay.Finding {
	metric := p.stem + name
	mean, okMean := p.median(metric)
	sigma, okSigma := p.median(metric + ".stddev")
	if !okMean || !okSigma || !(sigma > 0) {
		return nil
	}
	worst, sum := 0.0, ""
	for _, extreme := range []string{"min", "max"} {
		v, ok := p.median(metric + "." + extreme)
		if !ok {
			continue
		}
		if far := math.Abs(v-mean) / sigma; far > worst && !math.IsInf(far, 0) {
			worst = far
			sum = fmt.Sprintf("%d clients: (%s - %s)%s / %s%s = %s sigma", p.generators(), figure(max(mean, v)/scale), figure(min(mean, v)/scale), unit, figure(sigma/scale), unit, figure(far))
		}
	}
	if !(worst > momentSigmas) {
		return nil
	}
	f := p.finding("agg-moments", assay.Rejects, []string{metric + ".stddev"}, sum,
		"the clients' standard deviations were averaged and their extremes added: neither describes the total",
		"add the clients up second by second, then compute mean, deviation and extremes of a run "+p.onEveryNode("--show-time"))
	return &f
}
