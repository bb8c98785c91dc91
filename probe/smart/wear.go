package smart

import (
	"fmt"
	"strconv"
	"strings"
)

// readFailing counts the attributes whose normalised value is at or below its
// threshold: the vendor's own limit for a drive that is about to fail.
func (r *reading) readFailing() {
	now, past := []string{}, []string{}
	known, line := false, 0
	for _, row := range r.doc.at("ata_smart_attributes", "table").list() {
		limit, limited := row.at("thresh").number()
		when := strings.ToLower(row.at("when_failed").text())
		if !limited && when == "" {
			continue
		}
		known = true
		switch when {
		case "now", "failing_now":
			name := row.at("name").text()
			if value, ok := row.at("value").number(); ok && limited {
				name = fmt.Sprintf("%s %.0f, threshold %.0f", name, value, limit)
			}
			if now = append(now, name); line == 0 {
				line = row.line
			}
		case "past", "in_the_past":
			past = append(past, row.at("name").text())
		}
	}
	if !known {
		return
	}
	labels := map[string]string{}
	if len(now) > 0 {
		labels["now"] = strings.Join(now, "; ")
	}
	if len(past) > 0 {
		labels["past"] = strings.Join(past, ", ")
	}
	r.add("smart.failing_attributes", float64(len(now)), line, labels)
}

// readReallocated counts the sectors that the drive has replaced with spares.
func (r *reading) readReallocated(attributes map[int]attribute, statistics map[string]node) {
	if r.addScaled("smart.reallocated_sectors", statistics["Number of Reallocated Logical Sectors"], 1, fromStatistics) {
		return
	}
	if a := attributes[5]; a.node.exists() {
		r.addScaled("smart.reallocated_sectors", a.counted(), 1, a.source())
	}
}

// counters lists the attributes that count one kind of event each, under the
// names of smartctl's drive database.
var counters = []struct {
	metric     string
	id         int
	part       string // of the name
	statistics string // the same in the device statistics
}{
	{"smart.crc_errors", 199, "CRC", "Number of Interface CRC Errors"},
	{"smart.end_to_end_errors", 184, "End-to-End", ""},
	{"smart.spin_retries", 10, "Spin_Retry", ""},
	{"smart.load_cycles", 193, "Load_Cycle", "Head Load Events"},
}

func (r *reading) readCounters(attributes map[int]attribute, statistics map[string]node) {
	for _, c := range counters {
		if a := attributes[c.id]; strings.Contains(a.name, c.part) && r.addScaled(c.metric, a.printed(), 1, a.source()) {
			continue
		}
		if c.statistics != "" {
			r.addScaled(c.metric, statistics[c.statistics], 1, fromStatistics)
		}
	}
}

// readOverTemperature reads how long an ATA drive was above the temperature that
// its vendor allows, in minutes.
func (r *reading) readOverTemperature(statistics map[string]node) {
	n := r.firstOf(statistics["Time in Over-Temperature"], r.doc.at("temperature", "lifetime_over_limit_minutes"))
	if v, ok := n.number(); ok && v >= 0 {
		r.add("smart.throttle_minutes", v*60, n.line, map[string]string{"critical": strconv.FormatFloat(v*60, 'f', -1, 64)})
	}
}
