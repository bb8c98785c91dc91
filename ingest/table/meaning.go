package table

import (
	"cmp"
	"slices"
	"strings"

	"assay"
)

// metric returns the metric of a figure under these words; if it is "", why
// says what is in doubt.
func (b *bench) metric(p phrase, cell string) (metric, why string) {
	family, _, named := strings.Cut(p.measure, ".")
	if named {
		return b.named(p.measure, family)
	}
	measure := cmp.Or(p.measure, byUnit(p, cell))
	if measure == "events" {
		if b.family == "cpu" {
			return "cpu.events_per_second", ""
		}
		return "", "can't tell what kind of events"
	}
	if measure == "" {
		return "", "no metric or unit in the header or the cell"
	}
	switch p.op {
	case "put", "get", "delete":
		return ending("object."+p.op+".", map[string]string{"iops": "ops", "bandwidth": "throughput", "latency": p.latency()}[measure])
	case "read", "write":
		if measure == "bandwidth" && b.bits(p, cell) && !strings.Contains(strings.ToLower(unitOf(p, cell)), "bit") {
			return "", "drives and memory are not measured in bits per second: write MB/s, or Mbit/s if bits are meant"
		}
		return b.readOrWrite(p, measure)
	}
	if measure == "latency" && b.has("events") {
		return "cpu." + p.latency(), ""
	}
	if measure == "bandwidth" && b.bits(p, cell) {
		return b.flow()
	}
	if p.mixed {
		return "", "can't tell whether this counts reads, writes or both"
	}
	if op := b.direction(); op != "" {
		p.op = op
		return b.readOrWrite(p, measure)
	}
	return "", "can't tell whether this is a read or a write"
}

func ending(stem, end string) (string, string) {
	if end == "" {
		return "", strings.TrimSuffix(stem, ".") + " has no such metric"
	}
	return stem + end, ""
}

// named accepts headers that are metrics by themselves, if the rest of the
// table is of the same kind.
func (b *bench) named(metric, family string) (string, string) {
	switch {
	case family == "smart" && !b.smart():
		return "", "the table has no other drive health data"
	case family == "thermal" && !b.has("thermal.load"):
		return "", "can't tell under what load"
	case family == "cpu" && !b.has("events"):
		return "", "can't tell what it compares"
	case family == "net" && b.family != "net":
		return "", "can't tell whether this is a network figure"
	}
	return metric, ""
}

// smart reports whether the table holds SMART data: two of its headers do.
func (b *bench) smart() bool {
	n := 0
	for _, p := range b.headers {
		if strings.HasPrefix(p.measure, "smart.") {
			n++
		}
	}
	return n > 1
}

// has reports whether another column of the table has that measure.
func (b *bench) has(measure string) bool {
	return slices.ContainsFunc(b.headers, func(p phrase) bool { return p.measure == measure })
}

// byUnit returns the measure implied by a cell's unit. Times without a statistic may be run
// times.
func byUnit(p phrase, cell string) string {
	measure := measureOfUnit(unitOf(p, cell))
	if measure == "latency" && !strings.HasPrefix(p.stat, "p") {
		return ""
	}
	return measure
}

// readOrWrite returns a storage or memory metric, by header and headings.
func (b *bench) readOrWrite(p phrase, measure string) (string, string) {
	isStorage := p.order != "" || p.mixed || p.measure == "iops" || b.has("iops")
	stem := "storage." + p.op + "."
	if !isStorage {
		switch b.family {
		case "storage":
		case "memory":
			stem = "memory." + p.op + "."
		default:
			return "", "can't tell whether this is storage or memory"
		}
	}
	if strings.HasPrefix(stem, "memory.") && measure != "bandwidth" {
		return "", "only memory bandwidth is supported"
	}
	return ending(stem, map[string]string{"iops": "iops", "bandwidth": "bandwidth", "latency": p.latency()}[measure])
}

// direction returns what the command, the caption or the heading says was done;
// "" if both or neither.
func (b *bench) direction() string {
	if pattern := strings.TrimPrefix(b.command["pattern"], "rand"); pattern == "read" || pattern == "write" {
		return pattern
	}
	for _, line := range b.above.closest() {
		switch p := readPhrase(line); {
		case p.reads:
			return ""
		case p.op == "read" || p.op == "write":
			return p.op
		}
	}
	return ""
}

// bits reports whether a figure is in bits per second, as in networks.
func (b *bench) bits(p phrase, cell string) bool {
	word := unitOf(p, cell)
	m, ok := unit(word)
	return ok && m.base == assay.BytesPerSecond && strings.Contains(word, "b") && !strings.Contains(strings.ToLower(word), "byte")
}

// unitOf returns the unit of a cell: its own, or its header's.
func unitOf(p phrase, cell string) string {
	if _, rest, err := cutNumber(cell); err == nil && rest != "" && (p.unit == "" || thousands[rest] == 0) {
		return rest
	}
	return p.unit
}

// flow returns TCP throughput if the table is about a network.
func (b *bench) flow() (string, string) {
	for _, line := range b.above.near() {
		if udpWord.MatchString(line) {
			return "", "can't tell whether this is TCP or UDP"
		}
	}
	if b.family != "net" && !b.has("net.tcp.retransmits") {
		return "", "can't tell whether this is a network figure"
	}
	return "net.tcp.throughput", ""
}
