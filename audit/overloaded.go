package audit

import (
	"fmt"
	"math"

	"assay"
)

var overloaded = Rule{
	ID: "overloaded", Number: 107, Applies: "storage, rados bench, s3, databases", Severities: "I",
	Title:   "More requests in flight than the storage can handle",
	Formula: "in imported output: mean latency >= 0.5 s with 16 or more operations in flight (depth x jobs, threads, clients; or rate x latency, where nothing states it)",
	Source:  "J. D. C. Little, A Proof for the Queuing Formula L = lambda W (1961): past saturation, more operations in flight only add latency; both limits are a choice",
	Example: "2,304 in flight, 7.02 s each: one done every 3.05 ms",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if !l.foreign() {
				continue // a planned depth is shown with its latency
			}
			for _, stem := range latencyStems {
				mean, ok := l.median(stem + "latency.mean")
				n := l.together(stem, mean)
				if !ok || !(mean >= queuedLong) || n < queuedMany {
					continue
				}
				found = append(found, l.finding("overloaded", assay.Informs, []string{stem + "latency.mean"},
					fmt.Sprintf("%s in flight, %s each: one done every %s", grouped(n, 0), seconds(mean), seconds(mean/n)),
					"nearly all of this latency is queueing, and says little about a single operation: at half the depth the rate is most likely the same, and the latency half",
					"halve the queue depth, the jobs or the clients until the rate falls: the depth before that is the one to quote"))
			}
		}
		return found
	},
}

// together returns how many operations were in flight: as many as requested, else rate
// times mean latency, by Little's law.
func (l look) together(stem string, mean float64) float64 {
	if n := l.meantUnderWay(); n > 0 {
		return float64(n)
	}
	for _, metric := range []string{stem + "transactions", stem + "iops", stem + "ops"} {
		if v, ok := l.median(metric); ok && v > 0 {
			return math.Round(v * mean)
		}
	}
	return 0
}

// meantUnderWay returns the requested number of operations in flight; 0 if
// unknown.
func (l look) meantUnderWay() int {
	if threads, ok := parseCount(l.label("", "threads")); ok {
		clients, _ := parseCount(l.label("", "clients"))
		if l.positive("database.transactions") {
			return max(threads, clients) // clients share the threads
		}
		return threads * max(clients, 1)
	}
	if n, ok := parseCount(l.label("", "concurrency")); ok {
		clients, _ := parseCount(l.label("", "clients"))
		return n * max(clients, 1)
	}
	depth, ok := parseCount(l.label("", "iodepth"))
	if !ok {
		return 0
	}
	jobs, _ := parseCount(l.label("", "jobs"))
	return depth * max(jobs, 1)
}
