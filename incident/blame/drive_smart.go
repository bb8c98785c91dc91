package blame

import (
	"fmt"
	"strings"

	"assay/incident"
)

// driveSMART takes a drive at its word.
var driveSMART = Rule{ID: "drive-smart", Title: "A drive reports errors or its end", Check: func(c Case) []Cause {
	places, of := byDevice(c.of(incident.SMARTFailed, incident.SMARTPending, incident.SMARTSelfTest, incident.SMARTErrorLog, incident.SMARTMedia, incident.SMARTRealloc, incident.SMARTWorn, incident.SMARTWarning, incident.SMARTPast))
	var found []Cause
	for _, p := range places {
		events := of[p]
		cause := Cause{
			Layer: incident.Drive, Host: p.host, Device: p.device, Says: "a drive: its own report counts errors", How: VeryLikely,
			Why: "The drive counts sectors that it can't read, or reports that it fails.", Evidence: quote(5, events),
			Next:     []Step{{"read the report again in an hour: counters that grow mean that it goes on", "smartctl -x " + path(p.device)}},
			explains: with(consequences, incident.SMARTRealloc, incident.SMARTPending, incident.SMARTSelfTest, incident.SMARTErrorLog, incident.SMARTMedia, incident.ATATimeout, incident.ATAReset, incident.ATADeviceFail, incident.SMARTCRC, incident.ZFSChecksum, incident.SMARTWarning, incident.SMARTWorn, incident.SMARTPast, incident.SMARTLogged, incident.SMARTUnread, incident.AbortedCommand, incident.CommandTimeout, incident.TaskAbort, incident.DeviceReset, incident.HBAInfo, incident.ATADead),
		}
		warned := warnings(events)
		switch {
		case warned == warnHeat && !hasKind(events, incident.SMARTPending) && !hasKind(events, incident.SMARTSelfTest):
			cause.Layer, cause.Says = incident.Thermal, "a drive that is too hot"
			cause.Why = "The drive's only critical warning (0x02) is its temperature; smartctl reports FAILED for that too."
			cause.Next = []Step{{"check its temperature and thresholds, and cool it", "smartctl -x " + path(p.device) + " | grep -i temp"}}
		case hasKind(events, incident.SMARTFailed):
			cause.Says = "a drive: its SMART status is FAILED"
			cause.How = Certain
			cause.Next = []Step{{"replace it; copy what is only there first", "ddrescue -n " + path(p.device) + " IMAGE MAP"}}
		case hasKind(events, incident.SMARTPending), hasKind(events, incident.SMARTSelfTest), hasKind(events, incident.SMARTErrorLog):
		case warned&warnBroken != 0:
			cause.Says = "a drive: it warns of itself"
			cause.Why = fmt.Sprintf("The drive's critical warning is 0x%02x: %s.", warned, strings.Join(warningWords(warned), ", "))
			cause.Next = []Step{{"check its spare, its use and its error log, and replace it before it stops", "nvme smart-log " + path(p.device) + "; nvme error-log " + path(p.device)}}
		case hasKind(events, incident.SMARTPast):
			cause.Says = "a drive that passed the limit that its maker set for it"
			cause.Why = "One of its attributes, of wear or of errors, fell below the threshold that its maker set. It may last for years or fail soon; the threshold is that warning."
		case hasKind(events, incident.SMARTMedia) && c.failing(p):
			cause.How, cause.Says = Likely, "a drive that counts media errors, and fails"
			cause.Why = "Reads or writes failed, nothing says that they were damaged on the way, and the drive counts errors of its medium."
		case hasKind(events, incident.SMARTMedia):
			cause.How, cause.Says = Possible, "a drive that counted media errors at some time"
			cause.Why = "The drive counts media errors over its life. Whether they have to do with this depends on whether the count grew."
		case c.failing(p) && (hasKind(events, incident.SMARTWorn) || most(events, incident.SMARTRealloc) >= manySectors):
			cause.How, cause.Says = Likely, "a drive that is worn out, or replaced many sectors, and fails"
			cause.Why = "Reads or writes failed, and the drive reports that it replaced many of its sectors or has used up its rated writes."
		case most(events, incident.SMARTRealloc) >= tooManySectors && most(events, incident.SMARTRealloc) < packed:
			cause.How, cause.Says = Likely, "a drive that replaced a great many of its sectors"
			cause.Why = "A drive replaces sectors that it can't read or write any more. A few are harmless; this many mean that the damage is spreading."
		default:
			cause.How, cause.Says = Possible, "a drive that shows wear or replaced sectors"
			cause.Why = "The drive shows wear or replaced sectors. That alone does not explain errors."
		}
		if cause.How == Possible && !c.has(incident.IOError, incident.ZFSIO, incident.ZFSChecksum, incident.ATATimeout, incident.FSError) && len(c.of(smartKinds...)) == 0 {
			cause.explains = nil
		}
		found = append(found, cause)
	}
	return merge(found)
}}

// manySectors is more replaced sectors than a healthy drive has, and tooManySectors more
// than any drive survives for long. Values from packed on combine several numbers.
const manySectors, tooManySectors, packed = 100, 1000, 1 << 20

// most returns the largest value of a kind of event.
func most(events []incident.Event, kind incident.Kind) float64 {
	v := 0.
	for _, e := range events {
		if e.Kind == kind {
			v = max(v, e.Value)
		}
	}
	return v
}

// failing reports whether reads or writes of a drive failed with no sign that they were
// damaged in transit.
func (c *Case) failing(p place) bool {
	if c.has(incident.ATACRC, incident.ATALinkError, incident.ATAFatal, incident.SMARTCRC, incident.HBAFault, incident.AERFatal, incident.USBReset, incident.USBAbort) {
		return false
	}
	for _, e := range c.of(incident.IOError, incident.ATATimeout, incident.ATADeviceFail, incident.MDFailed, incident.CommandTimeout) {
		if e.Host == p.host && (incident.ControllerOf(e.Device) == incident.ControllerOf(p.device) || p.device == "" || strings.HasPrefix(e.Device, "ata")) {
			return true
		}
	}
	return false
}

// The bits of an NVMe drive's critical warning (NVM Express Base Specification, SMART /
// Health Information log page).
const (
	warnSpare = 1 << iota
	warnHeat
	warnReliability
	warnReadOnly
	warnBackup
	warnBroken = warnSpare | warnReliability | warnReadOnly | warnBackup
)

// warnings returns the bits of all critical warnings.
func warnings(events []incident.Event) int {
	bits := 0
	for _, e := range events {
		if e.Kind == incident.SMARTWarning && e.Value < 256 {
			bits |= int(e.Value)
		}
	}
	return bits
}

func warningWords(bits int) []string {
	var said []string
	for _, w := range []struct {
		bit   int
		words string
	}{
		{warnSpare, "its spare blocks are used up"}, {warnHeat, "its temperature is out of range"}, {warnReliability, "its reliability is degraded by errors or wear"},
		{warnReadOnly, "it went read-only"}, {warnBackup, "its capacitors failed"},
	} {
		if bits&w.bit != 0 {
			said = append(said, w.words)
		}
	}
	return said
}
