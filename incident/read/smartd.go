package read

import (
	"strconv"
	"strings"

	"assay/incident"
)

// smartd parses smartd's log lines: "Device: /dev/sdb [SAT], 8 Currently unreadable
// …".
func smartd(kind incident.Kind) func(*Reader, string, int) {
	return func(r *Reader, text string, n int) {
		if strings.Contains(text, "warning condition reset after") {
			return // what smartd warned of is over
		}
		r.event(kind, incident.ControllerOf(after("/dev/")(text)), 1, r.line, n)
	}
}

// smartdWarning parses an NVMe drive's critical warning as smartd logs it.
func (r *Reader) smartdWarning(text string, n int) {
	_, value, _ := strings.Cut(text, "Critical Warning (")
	if bits, err := strconv.ParseUint(word(value), 0, 8); err == nil && bits != 0 {
		r.event(incident.SMARTWarning, incident.ControllerOf(after("/dev/")(text)), float64(bits), r.line, n)
	}
}

func (r *Reader) smartdFailure(text string, n int) { smartd(incident.SMARTFailed)(r, text, n) }
