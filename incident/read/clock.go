package read

import (
	"math"
	"strconv"
	"strings"
	"time"

	"assay/incident"
)

var clockSignatures = []signature{
	{has: "clocksource: timekeeping watchdog", kind: incident.ClockUnstable, device: nothing},
	{has: "Marking clocksource", kind: incident.ClockUnstable, device: nothing, and: "unstable"},
	{has: "Marking TSC unstable due to clocksource watchdog", kind: incident.ClockUnstable, device: nothing},
	{has: "TSC found unstable after boot", kind: incident.ClockUnstable, device: nothing},
	{has: "Clocksource tsc unstable", kind: incident.ClockUnstable, device: nothing},
	{has: "certificate has expired or is not yet valid", kind: incident.CertNotYet, and: " is before ", device: nothing}, // Go's wording
	{has: "certificate has expired or is not yet valid", kind: incident.CertExpired, and: " is after ", device: nothing},
	{has: "certificate has expired or is not yet valid", kind: incident.CertTime, device: nothing},
	{has: "certificate is not yet valid", kind: incident.CertNotYet, device: nothing},
	{has: "is not valid yet (invalid for another", kind: incident.CertNotYet, device: nothing}, // apt, for a repository signature
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
	{has: "RTC time: n/a", kind: incident.ClockLost, device: nothing},              // timedatectl, on a machine without its own clock
	{has: "oscillator failed, set time!", kind: incident.RTCLost, device: nothing}, // ds1307
	{has: "SET TIME!", kind: incident.RTCLost, device: nothing, and: "rtc"},
	{has: "low voltage detected, ", kind: incident.RTCLost, device: nothing, or: []string{"date/time is not reliable", "check/replace RTC battery"}},
	{has: "oltage low, data is invalid", kind: incident.RTCLost, device: nothing},
	{has: "RTC contains values that are either invalid", kind: incident.RTCLost, device: nothing},
	{has: "RTC_RD_TIME", kind: incident.RTCLost, device: nothing, or: []string{"failed", "nput/output error", "nvalid argument"}},
	{has: "Hardware Clock registers contain values that are either invalid", kind: incident.RTCLost, device: nothing},
	{has: "hctosys: unable to read the hardware clock", kind: incident.RTCLost, device: nothing},
	{has: "rtc: invalid alarm value", kind: incident.RTCLost, device: nothing, and: "19"},
	{has: "Can't synchronise: no ", kind: incident.ClockNoSource, device: nothing}, // chronyd
	{has: "No suitable source for synchronisation", kind: incident.ClockNoSource, device: nothing},
	{has: "Leap status", kind: incident.ClockNoSource, device: nothing, and: "Not synchronised"}, // chronyc tracking
	{has: "no server suitable for synchronization found", kind: incident.ClockNoSource, device: nothing},
	{has: "Timed out waiting for reply from", kind: incident.ClockNoSource, device: nothing, and: "timesyncd"},
	{has: "Server has too large root distance", kind: incident.ClockNoSource, device: nothing},
	{has: "TIME_ERROR: 0x", kind: incident.ClockUnsynced, device: nothing},
	{has: "in the future (time warp or clock problem)", kind: incident.ClockSkew, device: nothing}, // gpg
	{has: "Clock skew detected.", kind: incident.ClockSkew, device: nothing},                       // make
	{has: "s in the future", kind: incident.ClockSkew, device: nothing, or: []string{"modification time", "time stamp"}},
	{has: "uperblock last ", kind: incident.ClockSkew, device: nothing, and: "is in the future", or: []string{"mount time", "write time"}},
	{has: "imestamp", kind: incident.ClockSkew, device: nothing, and: "in the future", not: []string{"if ", "must not"}},
	{has: "Signature expired: ", kind: incident.ClockSkew, device: nothing, and: "is now earlier than"},
	{has: "oken is not yet valid", kind: incident.ClockSkew, device: nothing},
	{has: "lock drift", kind: incident.ClockSkew, device: nothing, or: []string{"detected", "exceed", "too large", "too high"}},
	{has: "ime drift", kind: incident.ClockSkew, device: nothing, or: []string{"detected", "exceed", "too large", "too high"}},
	{has: "lock is not synchronized", kind: incident.ClockUnsynced, device: nothing},
	{has: "locks are out of sync", kind: incident.ClockSkew, device: nothing},
	{has: "RequestTimeTooSkewed", kind: incident.ClockSkew, device: nothing},
	{has: "request time and the current time is too large", kind: incident.ClockSkew, device: nothing},
	{has: "Signature not yet current", kind: incident.ClockSkew, device: nothing},
	{has: "icket not yet valid", kind: incident.ClockSkew, device: nothing},
	{has: "oken used before issued", kind: incident.ClockSkew, device: nothing},
	{has: "ClockOutOfSyncException", kind: incident.ClockSkew, device: nothing},
	{has: "system time jump backward", kind: incident.ClockStepped, device: nothing}, // TiDB, TiKV
	{has: "clock went backwards by", kind: incident.ClockStepped, device: nothing},
	{has: "time moved backwards", kind: incident.ClockStepped, device: nothing},
	{has: "ime went backwards", kind: incident.ClockStepped, device: nothing},
	{has: "lock moved backwards", kind: incident.ClockStepped, device: nothing},
	{has: "lock jumped", kind: incident.ClockStepped, device: nothing}, // ptp4l, phc2sys
	{has: "ime jump", kind: incident.ClockStepped, device: nothing, or: []string{"etected", "backward", "forward"}},
	{has: "to wait for clock tick timed out", kind: incident.RTCLost, device: nothing}, // hwclock
	{has: "TSC warp between CPUs", kind: incident.ClockUnstable, device: nothing},
	{has: "Losing some ticks", kind: incident.ClockUnstable, device: nothing},
	{has: "NTP synchronized: no", kind: incident.ClockUnsynced, device: nothing}, // timedatectl, old and new
	{has: "System clock synchronized: no", kind: incident.ClockUnsynced, device: nothing},
	{has: "the clock difference against peer", kind: incident.ClockSkew, and: "too high", device: nothing}, // etcd
	{has: "prober found high clock drift", kind: incident.ClockSkew, device: nothing},                      // etcd
	{has: "Clock skew too great", kind: incident.ClockSkew, device: nothing},                               // Kerberos
	{has: "KRB_AP_ERR_SKEW", kind: incident.ClockSkew, device: nothing},
	{has: "clock synchronization error: this node is more than", kind: incident.ClockSkew, device: nothing}, // CockroachDB
	{has: "-- CHECK AND RESET THE DATE!", kind: incident.RTCLost, device: nothing},                          // the BSDs
	{has: "rtc_cmos: broken or not accessible", kind: incident.RTCLost, device: nothing},
	{has: "broken or not accessible", kind: incident.RTCLost, device: nothing, and: "rtc"},
	{has: "CMOS ", kind: incident.RTCLost, device: nothing, or: []string{"hecksum Error", "hecksum error", "hecksum bad", "hecksum Bad", "ate/Time Not Set", "attery Low", "attery low", "attery failed", "attery has failed", "attery State Low"}},
	{has: "system board battery", kind: incident.RTCLost, device: nothing, or: []string{"has failed", "is low"}}, // Dell's log
	{has: "ystem battery is low", kind: incident.RTCLost, device: nothing},
	{has: "issued in the future", kind: incident.ClockSkew, device: nothing},
	{has: "oken used too early", kind: incident.ClockSkew, device: nothing},
	{has: "validity period has not begun", kind: incident.ClockSkew, device: nothing}, // DNSSEC
	{has: "has timestamp too new", kind: incident.ClockSkew, device: nothing},         // Loki
	{has: "too far into the future", kind: incident.ClockSkew, device: nothing},       // Prometheus
	{has: "too far in the future", kind: incident.ClockSkew, device: nothing},
	{has: "CERT_NOT_YET_VALID", kind: incident.CertNotYet, device: nothing},
	{has: "uses not yet valid certificate", kind: incident.CertNotYet, device: nothing}, // GnuTLS
	{has: "uses expired certificate", kind: incident.CertExpired, device: nothing},
	{has: "CertificateNotYetValidException", kind: incident.CertNotYet, device: nothing}, // Java
	{has: "CertificateExpiredException", kind: incident.CertExpired, device: nothing},
	{has: "SEC_ERROR_EXPIRED_CERTIFICATE", kind: incident.CertExpired, device: nothing},
	{has: "NOT_YET_VALID_CERTIFICATE", kind: incident.CertNotYet, device: nothing},
	{has: "ERR_CERT_DATE_INVALID", kind: incident.CertTime, device: nothing},
	{has: "CERT_HAS_EXPIRED", kind: incident.CertExpired, device: nothing},
	{has: "Check your system clock", kind: incident.ClockSkew, device: nothing, or: []string{"verify", "valid"}},
	{has: "NTP service: inactive", kind: incident.ClockFree, device: nothing}, // timedatectl, new and old
	{has: "NTP enabled: no", kind: incident.ClockFree, device: nothing},
	{has: "Network time on: no", kind: incident.ClockFree, device: nothing},
}

// wrongClock is the offset in seconds from which a clock is at fault: leases and
// quorums tolerate less.
const wrongClock = 1

// tracking parses "System time : 3605.497 seconds slow of NTP time" from chronyc
// tracking.
func (r *Reader) tracking(text string, n int) {
	_, value, ok := strings.Cut(text, ":")
	if !ok {
		return
	}
	if off, err := strconv.ParseFloat(word(value), 64); err == nil && off >= wrongClock {
		r.event(incident.ClockSkew, "", off, stamped{text: text}, n)
	}
}

// ntpHeader starts an ntpq -p table.
func (r *Reader) ntpHeader(text string, _ int) {
	if fields := strings.Fields(text); len(fields) == 10 && fields[0] == "remote" && fields[8] == "offset" {
		r.table = ntpTable{}
	}
}

// ntpTable is ntpq -p's table of a host's time servers, in milliseconds.
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

// firstYear and lastYear bound plausible clock readings: no kernel in use was built
// before the first, and certificates end before the last.
const firstYear, lastYear = 2001, 2060

// clockShown parses the time that timedatectl shows: "Local time: Thu 1970-01-01 00:00:12
// UTC".
func (r *Reader) clockShown(text string, n int) {
	_, shown, _ := strings.Cut(text, "time: ")
	for _, f := range strings.Fields(shown) {
		if len(f) != len(time.DateOnly) {
			continue
		}
		if day, err := time.Parse(time.DateOnly, f); err == nil && (day.Year() < firstYear || day.Year() > lastYear) {
			r.event(incident.RTCLost, "", 0, stamped{text: text}, n)
		}
	}
}
