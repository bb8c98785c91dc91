package audit

import (
	"fmt"
	"strings"

	"assay"
)

var cacheState = Rule{
	ID: "cache-state", Number: 18, Applies: "fio, dd, s3, rados bench", Severities: "W I",
	Title:   "A read with the cache in an unknown state",
	Formula: "a buffered read where nothing says whether the cache was dropped beforehand, or of data read or written since; a warm read of a file larger than available memory; reads from an object store of less than 1 GiB that the same test wrote before and does not call warm; random reads of a pool that go over the objects of the same output's write three times or more, any reads of them fewer times: I; supposedly cold reads of objects that the store's memory may hold",
	Source:  "Linux Documentation/admin-guide/sysctl/vm.rst, drop_caches",
	Example: "a warm read of 1.00 GiB with 402 MiB available",
	Check: func(e Evidence) []assay.Finding {
		const id = "cache-state"
		var found []assay.Finding
		for _, l := range e.storage() {
			if direct, _ := isOn(l.label("read", "direct")); direct || !l.positive("storage.read.bandwidth") {
				continue
			}
			metrics := l.figuresOf("read")
			cache := l.label("read", "cache")
			switch {
			case cache == "warm":
				file, available := l.fileBytes("read"), l.facts.Memory.Available
				if file <= 0 {
					found = append(found, l.unchecked(id, metrics, "size of the file", "the tool's command line has it"))
				} else if available <= 0 {
					found = append(found, l.unchecked(id, metrics, "available memory", "/proc/meminfo has it"))
				} else if file > available {
					found = append(found, l.finding(id, assay.Warns, metrics,
						fmt.Sprintf("a warm read of %s with %s available", memory(float64(file)), memory(float64(available))),
						"the file does not fit in memory: reading it again shows nothing about caching",
						"to measure the cache, use a file of less than half the available memory; to measure the drive, bypass the cache: "+l.again("read", nil)))
				}
			case strings.HasPrefix(cache, "cold"):
			case l.reached("read"):
			case cache == notDropped:
				found = append(found, l.notDropped(metrics))
			case cache == "" && (l.foreign() || l.label("read", "direct") == ""):
				found = append(found, l.unchecked(id, metrics, "state of the cache before the read", "the tool's command line and what ran before it show it"))
			default:
				found = append(found, l.finding(id, assay.Warns, metrics,
					"cache: "+orDefault(cache, "caches not dropped")+"; buffered",
					"an unknown part of this may already have been in memory",
					l.dropCaches(l.again("read", nil))))
			}
		}
		for _, l := range e.looks() {
			metrics := []string{"object.get.throughput", "object.get.latency.mean"}
			if !l.positive(metrics[0]) && !l.positive(metrics[1]) {
				continue
			}
			sum, state := "", l.label("", "cache")
			if bytes := e.justWritten(l); bytes > 0 && bytes < smallFile {
				sum = fmt.Sprintf("reads of the %s that the same test had written before", memory(bytes))
			} else if state == notDropped {
				sum = "reads of objects written just before, caches not dropped"
			} else if strings.HasPrefix(state, "unknown") {
				sum = "cache " + state
			}
			if sum == "" || strings.HasPrefix(state, "cold") || strings.HasPrefix(state, "warm") {
				continue // its state is declared
			}
			found = append(found, l.finding(id, assay.Warns, metrics, sum,
				"the servers may have answered from memory instead of from their drives",
				"read more than fits in the servers' memory, or drop the caches on each server before the reads: sync; echo 3 > /proc/sys/vm/drop_caches"))
		}
		return append(found, reread(e)...)
	},
}

// reread finds pool reads that go over the same objects repeatedly: those that the
// same output wrote before.
func reread(e Evidence) []assay.Finding {
	var found []assay.Finding
	file := func(from string) string { return from[:max(strings.LastIndex(from, ":"), 0)] }
	for _, p := range e.pools() {
		reads, ok := p.median(p.stem + "ios")
		if p.op != "read" || !ok {
			continue
		}
		objects, size := 0.0, int64(0)
		for _, w := range e.pools() {
			if n, ok := w.median(w.stem + "ios"); ok && w.op == "write" && file(w.Trial.From) == file(p.Trial.From) && w.Trial.From != "" &&
				w.label("", "pool") == p.label("", "pool") && w.label("", "prefix") == orDefault(p.label("", "prefix"), w.label("", "prefix")) {
				objects = n
				size, _ = w.operationSize()
			}
		}
		if !(objects > 0) {
			continue
		}
		if p.label("", "op") == "seq" || reads < rereadTimes*objects {
			if p.foreign() {
				found = append(found, p.finding("cache-state", assay.Informs, []string{p.stem + "bandwidth"},
					fmt.Sprintf("%s reads of the %s objects that were written before: %s a piece (%s in all)", grouped(reads, 0), grouped(objects, 0), figure(reads/objects), volume(objects*float64(size))),
					"what was just written may still be in the OSDs' memory: nothing says that the drives were read",
					"write more than fits in the memory of all OSDs, or drop the caches on their hosts before the reads: sync; echo 3 > /proc/sys/vm/drop_caches"))
			}
			continue
		}
		found = append(found, p.finding("cache-state", assay.Warns, []string{p.stem + "bandwidth"},
			fmt.Sprintf("%s reads of the %s objects that were written before: each %s times (%s in all)", grouped(reads, 0), grouped(objects, 0), figure(reads/objects), volume(objects*float64(size))),
			"after the first time the OSDs answer from memory: this measures their caches and the network",
			"write more than fits in the memory of all OSDs, then read: "+p.radosAgain(againRuntime)))
	}
	return found
}

// justWritten returns how much one test wrote of the objects that it then read:
// puts of the same size, by the same tool, to the same store, in the same
// comparison or output. 0 if nothing shows that.
func (e Evidence) justWritten(l look) float64 {
	size, ok := parseAmount(l.label("", "object_size"))
	n := l.requests()
	if !ok || !(n > 0) {
		return 0
	}
	for _, other := range e.looks() {
		same := other.Trial.ID == l.Trial.ID || l.Trial.Comparison != "" && other.Trial.Comparison == l.Trial.Comparison
		for _, key := range []string{"tool", "object_size", "endpoint"} {
			same = same && other.label("", key) == l.label("", key)
		}
		if same && other.Trial.Subject.Host == l.Trial.Subject.Host && (other.positive("object.put.latency.mean") || other.positive("object.put.throughput")) {
			return size * n
		}
	}
	return 0
}

// dropCaches advises how to read from the drive rather than memory, or to bypass the cache
// with the command past. Windows has no command that drops its cache.
func (l look) dropCaches(past string) string {
	if l.facts.OS.Windows {
		return "bypass the cache: " + past
	}
	return "drop the caches as root right before the read (sync; echo 3 > /proc/sys/vm/drop_caches), or bypass them: " + past
}

// notDropped is the label of a read of data written or read before, without
// dropping the caches in between.
const notDropped = "not dropped"

// notDropped judges such a read by what memory can hold.
func (l look) notDropped(metrics []string) assay.Finding {
	advice := l.dropCaches(l.again("read", nil))
	file, available := l.fileBytes("read"), l.facts.Memory.Available
	if file > available && available > 0 {
		return l.finding("cache-state", assay.Warns, metrics,
			fmt.Sprintf("a re-read of %s with %s available, caches not dropped", memory(float64(file)), memory(float64(available))),
			"the file does not fit in memory: reading it again shows nothing about caching, and is not a clean read of the drive either", advice)
	}
	return l.finding("cache-state", assay.Warns, metrics, "a read of data written or read before, caches not dropped",
		"an unknown part of this may already have been in memory", advice)
}
