package smart

import (
	"strconv"
	"strings"
)

// dataUnit is NVMe's unit of data read and written: one thousand blocks of 512
// B.
const dataUnit = 512_000

// readNVMe reads the SMART / Health Information log, by its NVMe field names.
func (r *reading) readNVMe() {
	health := r.doc.at("nvme_smart_health_information_log")
	field := func(name string) node { return wide(health, name) }

	threshold := map[string]string{}
	if t, ok := field("available_spare_threshold").number(); ok {
		threshold["threshold"] = strconv.FormatFloat(t/100, 'g', -1, 64)
	}
	r.addShare("smart.available_spare", field("available_spare"), 100, threshold)
	r.addShare("smart.percentage_used", field("percentage_used"), 255, nil)
	r.addScaled("smart.media_errors", field("media_errors"), 1, nil)
	r.addTemperature(managed(field), r.doc.at("temperature", "current"), field("temperature"))
	if !r.addScaled("smart.power_on_hours", field("power_on_hours"), 3600, nil) {
		r.addPowerOn()
	}
	r.addScaled("smart.data_written", field("data_units_written"), dataUnit, nil)
	r.addScaled("smart.data_read", field("data_units_read"), dataUnit, nil)
	r.addScaled("smart.unsafe_shutdowns", field("unsafe_shutdowns"), 1, nil)
	r.readNVMeErrorLog(field("num_err_log_entries"))
	r.readThrottling(field("warning_temp_time"), field("critical_comp_time"))
}

// managed returns how often the drive throttled itself for its temperature, and for how
// many seconds, summed over its two thermal management temperatures. It is nil if it
// never did.
func managed(field func(name string) node) map[string]string {
	sum := func(names ...string) (total float64) {
		for _, name := range names {
			if v, ok := field(name).number(); ok && v > 0 {
				total += v
			}
		}
		return total
	}
	entered := sum("thm_temp1_trans_count", "thm_temp2_trans_count")
	if !(entered > 0) {
		return nil
	}
	return map[string]string{
		"throttled":      strconv.FormatFloat(entered, 'f', -1, 64),
		"throttled_time": strconv.FormatFloat(sum("thm_temp1_total_time", "thm_temp2_total_time"), 'f', -1, 64),
	}
}

// wide returns a counter of up to 128 bits. If it does not fit a JSON number,
// smartctl writes it in decimal under the same name plus _s.
func wide(log node, name string) node {
	if n := log.at(name); n.exists() {
		return n
	}
	return log.at(name + "_s")
}

// readThrottling adds the two times: a minute above the critical temperature is
// not counted as one above the warning temperature.
func (r *reading) readThrottling(warning, critical node) {
	w, okW := warning.number()
	c, okC := critical.number()
	if !okW && !okC {
		return
	}
	parts := map[string]string{}
	if okW {
		parts["warning"] = strconv.FormatFloat(w*60, 'f', -1, 64)
	}
	if okC {
		parts["critical"] = strconv.FormatFloat(c*60, 'f', -1, 64)
	}
	if w < 0 || c < 0 { // a sum could hide a negative value
		w, c = -1, 0
	}
	r.add("smart.throttle_minutes", (w+c)*60, max(warning.line, critical.line), parts)
}

// criticalWarnings puts the bits of the NVMe critical warning into words.
func criticalWarnings(bits int) string {
	texts := []string{
		"spare below threshold", "temperature out of range", "reliability degraded",
		"read only", "volatile memory backup failed", "persistent memory region unreliable",
	}
	var words []string
	for i, text := range texts {
		if bits&(1<<i) != 0 {
			words = append(words, text)
		}
	}
	if bits>>len(texts) != 0 {
		words = append(words, "reserved bits set")
	}
	return strings.Join(words, ", ")
}
