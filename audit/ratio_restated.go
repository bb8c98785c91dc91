package audit

import (
	"fmt"
	"math"

	"assay"
)

var ratioRestated = Rule{
	ID: "ratio-restated", Number: 52, Applies: "comparisons", Severities: "I",
	Title:   "One result presented as two",
	Formula: "|IOPS ratio / inverse ratio of the mean latencies - 1| <= 2 % between two results of one comparison at the same concurrency that differ by more than 5 %",
	Source:  "Little's law: with the same number in flight, operations per second and mean latency are the same figure",
	Example: "4,982 / 723 IOPS = 6.89 x, 88.5 ms / 12.8 ms = 6.90 x",
	Check: func(e Evidence) []assay.Finding {
		const id = "ratio-restated"
		var found []assay.Finding
		for _, claims := range e.comparisons() {
			for _, set := range alike(claims) {
				if f := restated(set); f != nil {
					found = append(found, f.finding(id))
				}
			}
		}
		return found
	},
}

// restatement is a pair of results whose latencies repeat what their IOPS say.
type restatement struct {
	fast, slow     claim
	rates, latency float64 // how many times better fast is, by each
	sum            string
	pairs          int
}

// restated returns the most distant pair among those that report one result
// twice; nil if there is none.
func restated(set []claim) *restatement {
	var worst *restatement
	pairs := 0
	for i, a := range set {
		for _, b := range set[i+1:] {
			r, ok := compareTwice(a, b)
			if !ok {
				continue
			}
			pairs++
			if worst == nil || r.rates > worst.rates {
				worst = &r
			}
		}
	}
	if worst != nil {
		worst.pairs = pairs
	}
	return worst
}

func compareTwice(a, b claim) (restatement, bool) {
	rateA, latencyA, okA := a.rateAndLatency()
	rateB, latencyB, okB := b.rateAndLatency()
	if !okA || !okB {
		return restatement{}, false
	}
	setA, saysA := a.inFlightAsSet()
	setB, saysB := b.inFlightAsSet()
	if saysA && saysB && setA != setB {
		return restatement{}, false
	}
	if rateA < rateB {
		a, b, rateA, rateB, latencyA, latencyB = b, a, rateB, rateA, latencyB, latencyA
	}
	r := restatement{fast: a, slow: b, rates: rateA / rateB, latency: latencyB / latencyA}
	r.sum = fmt.Sprintf("%s / %s a second = %s (%s against %s), %s / %s = %s", figure(rateA), figure(rateB), times(r.rates),
		a.Trial.ID, b.Trial.ID, seconds(latencyB), seconds(latencyA), times(r.latency))
	return r, r.rates > 1+restatedApart && math.Abs(r.rates/r.latency-1) <= restatedMatch
}

func (r restatement) finding(id string) assay.Finding {
	if r.pairs > 1 {
		r.sum += fmt.Sprintf("; %d pairs in all", r.pairs)
	}
	ops := r.fast.stem + "iops"
	if r.fast.family == "object" {
		ops = r.fast.stem + "ops"
	}
	return r.fast.finding(id, assay.Informs, []string{ops, r.fast.stem + "latency.mean"}, r.sum,
		"the latencies restate the operations per second: with the same number in flight one follows from the other, so this is one piece of evidence, not two",
		"count it once; latency at queue depth 1 would be independent evidence: "+r.again())
}

func (r restatement) again() string {
	if r.fast.family != "storage" {
		return "measure with one request in flight"
	}
	return r.fast.again(r.fast.course, map[string]string{"iodepth": "1", "numjobs": "1"})
}
