package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"assay/stats"
)

// gateMarkdown returns the results, with the interval of each share.
func gateMarkdown(all []tried, took time.Duration) string {
	var b strings.Builder
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease") // reported if readable
	fmt.Fprintf(&b, "%d repeats a side of %g s, in random order (seed %d), %d gates at a time, %.0f minutes in all, on %d CPUs with Linux %s:\n\n",
		gateRepeats, gateLength.Seconds(), gateSeed, gateWorkers, math.Ceil(took.Minutes()), runtime.NumCPU(), strings.TrimSpace(string(kernel)))
	b.WriteString("| sides | repeats scatter by | limit | gates | closed | share | 95 % interval | figures not decided |\n")
	b.WriteString("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, t := range all {
		low, high := clopperPearson(t.closed, t.gates)
		fmt.Fprintf(&b, "| %s | %.1f %% | %.0f %% | %d | %d | %.1f %% | %.1f–%.1f %% | %d of %d |\n",
			t.what, 100*stats.Median(t.scatter), 100*t.limit, t.gates, t.closed, percentOf(t.closed, t.gates), 100*low, 100*high, t.open, t.figures)
	}
	return b.String()
}

func percentOf(k, n int) float64 { return 100 * float64(k) / float64(max(1, n)) }

// clopperPearson returns the 95 % interval of a share, given k of n.
//
// Clopper and Pearson, The Use of Confidence or Fiducial Limits Illustrated in
// the Case of the Binomial, 1934.
func clopperPearson(k, n int) (low, high float64) {
	const tail = .025
	if k > 0 {
		// The share at which k or more are that rare.
		low = solve(func(p float64) bool { return 1-atMost(k-1, n, p) < tail })
	}
	high = 1
	if k < n {
		high = solve(func(p float64) bool { return atMost(k, n, p) > tail })
	}
	return low, high
}

// solve returns the share up to which below holds.
func solve(below func(p float64) bool) float64 {
	low, high := 0., 1.
	for range 60 {
		middle := (low + high) / 2
		if below(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// atMost returns the probability of at most k of n, each with probability p.
func atMost(k, n int, p float64) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	sum := 0.
	for i := 0; i <= k; i++ {
		a, _ := math.Lgamma(float64(i + 1))
		b, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(all - a - b + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}
