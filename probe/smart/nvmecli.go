package smart

import (
	"fmt"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// smartLog matches the first line of nvme smart-log: the same log as
// smartctl's, under nvme-cli's names.
var smartLog = lazyregexp.New(`^Smart Log for NVME device:(\S+) namespace-id:`)

// cliFields maps the lines "name : value" of nvme smart-log.
var cliFields = map[string]field{
	"critical_warning":                    healthBits("critical_warning"),
	"temperature":                         cliCelsius,
	"available_spare":                     healthPercent("available_spare"),
	"available_spare_threshold":           healthPercent("available_spare_threshold"),
	"percentage_used":                     healthPercent("percentage_used"),
	"data_units_read":                     healthCount("data_units_read"),
	"data_units_written":                  healthCount("data_units_written"),
	"Data Units Read":                     healthCount("data_units_read"), // since 2.0
	"Data Units Written":                  healthCount("data_units_written"),
	"power_on_hours":                      healthCount("power_on_hours"),
	"unsafe_shutdowns":                    healthCount("unsafe_shutdowns"),
	"media_errors":                        healthCount("media_errors"),
	"num_err_log_entries":                 healthCount("num_err_log_entries"),
	"Warning Temperature Time":            healthCount("warning_temp_time"),
	"Critical Composite Temperature Time": healthCount("critical_comp_time"),
	"Thermal Management T1 Trans Count":   healthCount("thm_temp1_trans_count"),
	"Thermal Management T2 Trans Count":   healthCount("thm_temp2_trans_count"),
	"Thermal Management T1 Total Time":    healthCount("thm_temp1_total_time"),
	"Thermal Management T2 Total Time":    healthCount("thm_temp2_total_time"),
}

var cliTemperature = lazyregexp.New(`^(-?\d{1,3}) ?(?:°|º)? ?([CF])\b`)

// cliCelsius reads a temperature in the unit of the user's locale. A log of
// zeros has 0 K: it did not come from the drive.
func cliCelsius(t *textReader, value string, line int) error {
	return healthField(func(_ *textReader, value string, _ int) (float64, bool, error) {
		m := cliTemperature.FindStringSubmatch(value)
		if m == nil {
			return 0, false, nil
		}
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return 0, false, nil
		}
		if v < -200 {
			return 0, false, fmt.Errorf("a temperature of %s: the log is empty, the drive was not queried", strings.TrimSpace(value))
		}
		if m[2] == "F" {
			v = (v - 32) / 1.8
		}
		return v, true, nil
	}, "temperature")(t, value, line)
}

// isSmartLog reports whether a document is from nvme smart-log -o json, not
// smartctl.
func isSmartLog(doc node) bool {
	return doc.at("critical_warning").exists() && doc.at("avail_spare").exists() && !doc.at("device").exists()
}

// jsonNames maps the names of nvme-cli's documents to smartctl's where they
// differ.
var jsonNames = map[string]string{"avail_spare": "available_spare", "spare_thresh": "available_spare_threshold", "percent_used": "percentage_used"}

// zeroCelsius is 0 °C in whole kelvins, the unit of the log.
const zeroCelsius = 273

// fromSmartLog converts a document of nvme smart-log to the form of smartctl's.
func fromSmartLog(log node, device string) (node, error) {
	fields, _ := log.value.(object)
	renamed := object{}
	for name, n := range fields {
		if smartctls, ok := jsonNames[name]; ok {
			name = smartctls
		}
		renamed[name] = n
	}
	warning := renamed["critical_warning"]
	if bits, ok := warning.value.(object); ok { // -H spells them out
		renamed["critical_warning"] = bits["value"]
	}
	if t, ok := renamed["temperature"].number(); ok {
		if t == 0 {
			return node{}, fmt.Errorf("nvme smart-log: a temperature of 0 K: the log is empty, the drive was not queried")
		}
		renamed["temperature"] = node{t - zeroCelsius, renamed["temperature"].line}
	}
	doc := node{object{health: {renamed, log.line}}, log.line}
	doc.set("NVMe", log.line, "device", "protocol")
	if device != "" {
		doc.set(device, log.line, "device", "name")
	}
	return doc, nil
}
