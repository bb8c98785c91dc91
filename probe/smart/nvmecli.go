package smart

import (
	"fmt"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// smartLog opens what nvme smart-log prints: the same log as smartctl's, under
// the names that nvme-cli gives.
var smartLog = lazyregexp.New(`^Smart Log for NVME device:(\S+) namespace-id:`)

// cliFields are the lines "name : value" of nvme smart-log.
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
}

var cliTemperature = lazyregexp.New(`^(-?\d{1,3}) ?(?:°|º)? ?([CF])\b`)

// cliCelsius reads a temperature in the unit of the user's country. A log of
// zeros has one of 0 K: it never came from the drive.
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
