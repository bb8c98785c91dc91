package audit

import (
	"fmt"

	"assay"
)

var memWorkingSet = Rule{
	ID: "mem-working-set", Number: 13, Applies: "sysbench memory", Severities: "E W",
	Title:   "The buffers fit in the cache",
	Formula: "block x threads <= all last-level caches: E, < 4 x that: W; figures marked as cache figures are exempt; if the cache size is unknown, block x threads < 4 x 16 KiB, the smallest that any CPU has",
	Source:  "a uniform walk over 4 times the cache size misses at least three quarters of the time; sysbench gives each thread a buffer of one block",
	Example: "6 threads x 1.00 MiB = 6.00 MiB against 4 x 9.00 MiB = 36.0 MiB",
	Check: func(e Evidence) []assay.Finding {
		const id = "mem-working-set"
		var found []assay.Finding
		for _, l := range e.looks() {
			var metrics []string
			for _, metric := range l.headlines() {
				if metric == "memory.read.bandwidth" || metric == "memory.write.bandwidth" {
					metrics = append(metrics, metric)
				}
			}
			if len(metrics) == 0 || l.label("", "scope") == "cache" {
				continue
			}
			block, okBlock := parseSize(l.label("", "block"))
			threads, okThreads := parseCount(l.label("", "threads"))
			llc := l.facts.CPU.LastLevel()
			switch {
			case !okBlock || !okThreads:
				found = append(found, l.unchecked(id, metrics, "block size and threads of the memory test",
					"sysbench prints both at the head of its output"))
				continue
			case llc <= 0 && float64(block)*float64(threads) >= cacheMultiple*leastCache:
				found = append(found, l.unchecked(id, metrics, "last-level cache",
					whyMissing(l.facts, "lscpu -C shows it, but not in every virtual machine", "cache")))
				continue
			}
			least := ""
			if llc <= 0 {
				llc, least = leastCache, " (cache size unknown; no CPU has less)"
			}
			buffers, need := float64(block)*float64(threads), cacheMultiple*float64(llc)
			sum := fmt.Sprintf("%d threads x %s = %s", threads, memory(float64(block)), memory(buffers))
			if all, ok := parseSize(l.label("", "buffers")); ok && float64(all) != buffers {
				buffers, sum = float64(all), memory(float64(all))+" shared by all threads"
			}
			if buffers >= need {
				continue
			}
			severity, message := assay.Rejects, "the buffers fit in the CPU's cache: the memory modules were hardly used"
			if least == "" && buffers > float64(llc) {
				severity, message = assay.Warns, "the CPU's cache holds a large part of these buffers: part of the figure is the cache's"
			}
			found = append(found, l.finding(id, severity, metrics,
				fmt.Sprintf("%s against %d x %s = %s", sum, cacheMultiple, memory(float64(llc)), memory(need))+least,
				message,
				"let each thread walk a buffer too large for any cache: "+l.longer(againRuntime)))
		}
		return found
	},
}
