package assay

import (
	"slices"
	"strings"
)

// headlines are the metrics that say how fast something is, but for storage,
// where the size of the blocks decides.
var headlines = []string{
	"cpu.events_per_second", "memory.read.bandwidth", "memory.write.bandwidth",
	"net.tcp.throughput", "net.udp.throughput", "net.rtt.median",
	"object.put.throughput", "object.get.throughput", "migration.throughput", "migration.downtime",
}

// largeBlock is the block size in bytes from which on bytes count, and below
// which operations do.
const largeBlock = 64 << 10

// Headline reports whether a measurement of the result is what its trial is about.
// Of storage, and of pools of it, these are the operations of small blocks and
// the bytes of large ones, from 64 KiB on; where only one of the two was counted,
// that one.
func (r Result) Headline(m Measurement) bool {
	if slices.Contains(headlines, m.Metric) {
		return true
	}
	family, figure, _ := strings.Cut(m.Metric, ".")
	if family != "storage" && family != "pool" || figure == "" {
		return false
	}
	stem := m.Metric[:strings.LastIndexByte(m.Metric, '.')+1]
	counts := r.has(stem + "iops")
	if size, known := blockSize(m.Labels, r.Trial.Settings); known {
		counts = counts && (size < largeBlock || !r.has(stem+"bandwidth"))
	}
	if counts {
		return m.Metric == stem+"iops" && strings.Count(m.Metric, ".") == 2
	}
	return m.Metric == stem+"bandwidth" && strings.Count(m.Metric, ".") == 2
}

// Headlines returns the metrics that the result is about, each once, in the order in
// which its first counted repeat has them.
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

// has says whether a counted repeat has such a measurement.
func (r Result) has(metric string) bool {
	return slices.ContainsFunc(r.Repeats, func(rep Repeat) bool { return rep.Counted() && rep.Measurement(metric) != nil })
}

// blockSize gives the size of the blocks in bytes.
func blockSize(from ...map[string]string) (int64, bool) {
	for _, words := range from {
		if n, ok := ParseSize(words["bs"]); ok {
			return n, true
		}
	}
	return 0, false
}
