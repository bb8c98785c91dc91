package audit

import (
	"fmt"
	"math"

	"assay"
	"assay/stats"
)

var bucketSum = Rule{
	ID: "bucket-sum", Number: 25, Applies: "fio", Severities: "W",
	Title:   "The latency buckets do not add up",
	Formula: "|sum of the shares - 100 %| > .005 % for each non-empty bucket, plus .01 % for each printed as .01 %; not above 100 % after a ramp time, because the buckets count its operations too; in imported output not below it where the slowest operation lies above every bucket: a line was left out",
	Source:  "rounding to .01 %; fio prints a non-empty bucket as at least .01 % (stat.c)",
	Example: "5 buckets add up to 99.93 %, more than ± 0.035 % from 100",
	Check: func(e Evidence) []assay.Finding {
		const id, metric = "bucket-sum", "storage.latency_bucket.share"
		var found []assay.Finding
		for _, l := range e.storage() {
			if l.label("", "tool") != "fio" {
				continue // no other tool prints buckets
			}
			wrong, seen, sum := 0, 0, ""
			for _, r := range l.reps {
				shares := bucketShares(r)
				if len(shares) == 0 {
					continue
				}
				seen++
				total, slack := 0.0, 1e-9
				for _, s := range shares {
					total, slack = total+s, slack+bucketRounding
					if math.Abs(s-bucketFloor) < bucketFloor/10 {
						slack += bucketFloor
					}
				}
				if total > 1 && l.foreign() && l.mayRamp() {
					continue
				}
				if total < 1 && l.label("", "rounding") != "" && slowerThanAllBuckets(r) {
					continue // the line of the slowest was left out
				}
				if math.Abs(total-1) > slack {
					wrong++
					sum = fmt.Sprintf("%d buckets add up to %.2f %%, more than ± %.3f %% from 100", len(shares), 100*total, 100*slack)
				}
			}
			switch {
			case seen == 0 && l.foreign(): // a table or a shortened output: nothing to add up
			case seen == 0:
				found = append(found, l.unchecked(id, nil, "latency buckets", "fio prints them"))
			case wrong > 0:
				found = append(found, l.finding(id, assay.Warns, nil, sum+", "+inRepeats(wrong, seen),
					"operations are missing from the distribution or counted twice", "check the tool's raw output: it may be truncated"))
			}
		}
		return found
	},
}

// slowerThanAllBuckets reports whether the slowest operation exceeded the upper bound
// of every printed bucket.
func slowerThanAllBuckets(r assay.Repeat) bool {
	highest := 0.0
	for i := range r.Measurements {
		if m := &r.Measurements[i]; m.Metric == "storage.latency_bucket.share" {
			upper, ok := parseFloat(m.Labels["upper"])
			if !ok {
				return false // the last bucket has no bound
			}
			highest = max(highest, upper)
		}
	}
	for _, dir := range []string{"read", "write"} {
		if most, ok := value(r, "storage."+dir+".latency.max"); ok && most > highest {
			return highest > 0
		}
	}
	return false
}

// mayRamp reports whether fio may have counted a ramp time in the buckets but not in
// the operations that they are shares of: it had one, or nothing shows its options.
func (l look) mayRamp() bool {
	if v := orDefault(l.label("", "ramp_time"), option(l.argv(), "ramp_time")); v != "" {
		return v != "0"
	}
	return l.argv() == nil && l.label("", "runtime") == "" && l.label("", "size") == ""
}

// bucketShares returns the shares of the non-empty buckets; those of the first
// job if several are listed.
func bucketShares(r assay.Repeat) []float64 {
	var shares []float64
	first := r.Measurement("storage.latency_bucket.share")
	for i := range r.Measurements {
		m := &r.Measurements[i]
		if m.Metric == "storage.latency_bucket.share" && stats.Finite(m.Value) && m.Value > 0 && sameJob(first, m) {
			shares = append(shares, m.Value)
		}
	}
	return shares
}
