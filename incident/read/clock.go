package read

import (
	"math"
	"strconv"
	"strings"

	"assay/incident"
)

var clockSignatures = []signature{
	{has: "clocksource: timekeeping watchdog", kind: incident.ClockUnstable, device: nothing},
	{has: "Marking clocksource", kind: incident.ClockUnstable, device: nothing, and: "unstable"},
	{has: "Clocksource tsc unstable", kind: incident.ClockUnstable, device: nothing},
	{has: "certificate has expired or is not yet valid", kind: incident.CertNotYet, and: " is before ", device: nothing}, // as Go words it
	{has: "certificate has expired or is not yet valid", kind: incident.CertExpired, and: " is after ", device: nothing},
	{has: "certificate has expired or is not yet valid", kind: incident.CertTime, device: nothing},
	{has: "certificate is not yet valid", kind: incident.CertNotYet, device: nothing},
	{has: "is not valid yet (invalid for another", kind: incident.CertNotYet, device: nothing}, // apt, of a repository's signature
	{has: "certificate has expired", kind: incident.CertExpired, device: nothing},
	{has: "System clock wrong by", kind: incident.ClockStepped, device: nothing},       // chronyd
	{has: "System clock was stepped by", kind: incident.ClockStepped, device: nothing}, // chronyd
	{has: "]: time reset ", kind: incident.ClockStepped, device: nothing},              // ntpd
	{has: "time correction of ", kind: incident.ClockStepped, and: "sanity limit", device: nothing},
	{has: "step time server ", kind: incident.ClockStepped, device: nothing}, // ntpdate
	{has: "Time has been changed", kind: incident.ClockStepped, device: nothing},
	{has: "ime jumped", kind: incident.ClockStepped, device: nothing},
	{has: "Time just moved backwards", kind: incident.ClockStepped, device: nothing}, // Dovecot
	{has: "exceeds tolerance 500 PPM", kind: incident.ClockUnstable, device: nothing},
	{has: "System clock time unset or jumped backwards", kind: incident.ClockLost, device: nothing}, // systemd-timesyncd
	{has: "System time before build time", kind: incident.ClockLost, device: nothing},
	{has: "RTC time before build time", kind: incident.RTCLost, device: nothing},
	{has: "setting system clock to 19", kind: incident.RTCLost, device: nothing},
	{has: "setting system clock to 2000-01", kind: incident.RTCLost, device: nothing},
	{has: "hctosys: invalid date/time", kind: incident.RTCLost, device: nothing},
	{has: "RTC time: n/a", kind: incident.ClockLost, device: nothing},            // timedatectl, of a machine without a clock of its own
	{has: "NTP synchronized: no", kind: incident.ClockUnsynced, device: nothing}, // timedatectl, old and new
	{has: "System clock synchronized: no", kind: incident.ClockUnsynced, device: nothing},
	{has: "the clock difference against peer", kind: incident.ClockSkew, and: "too high", device: nothing}, // etcd
	{has: "prober found high clock drift", kind: incident.ClockSkew, device: nothing},                      // etcd
	{has: "Clock skew too great", kind: incident.ClockSkew, device: nothing},                               // Kerberos
	{has: "KRB_AP_ERR_SKEW", kind: incident.ClockSkew, device: nothing},
	{has: "clock synchronization error: this node is more than", kind: incident.ClockSkew, device: nothing}, // CockroachDB
}

// wrongClock is how many seconds a clock must be off to be a fault: leases and quorums
// allow for less.
const wrongClock = 1

// tracking reads "System time : 3605.497 seconds slow of NTP time" of chronyc tracking.
func (r *Reader) tracking(text string, n int) {
	_, value, ok := strings.Cut(text, ":")
	if !ok {
		return
	}
	if off, err := strconv.ParseFloat(word(value), 64); err == nil && off >= wrongClock {
		r.event(incident.ClockSkew, "", off, stamped{text: text}, n)
	}
}

// ntpHeader begins the table of ntpq -p.
func (r *Reader) ntpHeader(text string, _ int) {
	if fields := strings.Fields(text); len(fields) == 10 && fields[0] == "remote" && fields[8] == "offset" {
		r.table = ntpTable{}
	}
}

// ntpTable is what ntpq -p prints of a host's time servers, in milliseconds.
type ntpTable struct{}

func (ntpTable) row(r *Reader, line string, n int) bool {
	fields := strings.Fields(line)
	if len(fields) != 10 {
		return strings.HasPrefix(line, "====")
	}
	off, err := strconv.ParseFloat(fields[8], 64)
	if err != nil {
		return false
	}
	const ms = 1e-3
	if s := math.Abs(off) * ms; s >= wrongClock && fields[6] != "0" { // it was reached
		r.event(incident.ClockSkew, "", s, stamped{text: line}, n)
	}
	return true
}
