package assay

import (
	"slices"
	"strings"
)

// headlines are the metrics that say how fast something is, except for storage,
// where it depends on the block size.
var headlines = []string{
	"cpu.events_per_second", "memory.read.bandwidth", "memory.write.bandwidth",
	"net.tcp.throughput", "net.udp.throughput", "net.rtt.median",
	"migration.throughput", "migration.downtime", "failover.time", "database.transactions",
}

// LargeBlock is the block or object size in bytes from which bandwidth is the
// headline figure; below it, operations are.
const LargeBlock = 64 << 10

// families name a family's figures for operations and for bytes.
var families = map[string]struct{ operations, bytes string }{
	"storage": {"iops", "bandwidth"},
	"pool":    {"iops", "bandwidth"},
	"object":  {"ops", "throughput"},
}

// Headline reports whether a measurement is the headline figure of its trial. For
// storage, pools and objects that is operations per second below 64 KiB, and
// bandwidth from 64 KiB on; if only one of the two was measured, that one.
func (r Result) Headline(m Measurement) bool {
	if slices.Contains(headlines, m.Metric) {
		return true
	}
	family, _, _ := strings.Cut(m.Metric, ".")
	by, known := families[family]
	if !known || strings.Count(m.Metric, ".") != 2 {
		return false
	}
	stem := m.Metric[:strings.LastIndexByte(m.Metric, '.')+1]
	counts := r.has(stem + by.operations)
	if size, known := blockSize(m.Labels, r.Trial.Settings); known {
		counts = counts && (size < LargeBlock || !r.has(stem+by.bytes))
	}
	if counts {
		return m.Metric == stem+by.operations
	}
	return m.Metric == stem+by.bytes
}

// Headlines returns the headline metrics of the result, each once, in the order of
// its first counted repeat.
func (r Result) Headlines() []string {
	var all []string
	for _, rep := range r.Repeats {
		if !rep.Counted() {
			continue
		}
		for _, m := range rep.Measurements {
			if !slices.Contains(all, m.Metric) && r.Headline(m) {
				all = append(all, m.Metric)
			}
		}
		break
	}
	return all
}

// has reports whether a counted repeat has the metric.
func (r Result) has(metric string) bool {
	return slices.ContainsFunc(r.Repeats, func(rep Repeat) bool { return rep.Counted() && rep.Measurement(metric) != nil })
}

// blockSize returns the block or object size in bytes.
func blockSize(from ...map[string]string) (int64, bool) {
	for _, words := range from {
		for _, name := range []string{"bs", "object_size"} {
			if n, ok := ParseSize(words[name]); ok {
				return n, true
			}
		}
	}
	return 0, false
}
