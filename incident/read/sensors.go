package read

import (
	"strconv"
	"strings"

	"assay/incident"
)

// sensor parses rows of ipmitool: "CPU Temp | 98.000 | degrees C | cr | …" from its
// sensor command, and "FAN1 | 300 RPM | cr" from sdr. The state is critical (cr) or not
// recoverable (nr).
func (r *Reader) sensor(text string, n int) {
	fields := strings.Split(text, "|")
	if len(fields) < 3 {
		return
	}
	critical := false
	for _, f := range fields[2:] {
		f = strings.TrimSpace(f)
		critical = critical || f == "cr" || f == "nr"
	}
	if !critical {
		return
	}
	kind := incident.Warm
	switch reading := strings.Join(fields[1:], "|"); {
	case strings.Contains(reading, "RPM"):
		kind = incident.FanFailed
	case strings.Contains(reading, "Volts"):
		kind = incident.PowerLost
	case !strings.Contains(reading, "degrees C"):
		return
	}
	r.event(kind, "", 0, stamped{text: text}, n)
}

// overCritical parses rows of sensors whose value exceeds the limit they show:
// "Core 0:  +101.0°C  (high = +84.0°C, crit = +100.0°C)".
func (r *Reader) overCritical(text string, n int) {
	_, rest, is := strings.Cut(text, "crit = +")
	_, shown, is2 := strings.Cut(text, ":")
	if !is || !is2 || strings.Contains(text, "ALARM") { // handled separately
		return
	}
	limit, _, _ := strings.Cut(rest, "°C")
	value, _, _ := strings.Cut(strings.TrimSpace(shown), "°C")
	most, err := strconv.ParseFloat(limit, 64)
	degrees, err2 := strconv.ParseFloat(value, 64)
	if err == nil && err2 == nil && degrees >= most && most > 0 {
		r.event(incident.Warm, "", degrees, stamped{text: text}, n)
	}
}
