package blame

import "assay/incident"

// driveLogged finds drives whose error log grew. The log includes cable errors.
var driveLogged = Rule{ID: "drive-logged", Title: "A drive's log of errors grew", Check: func(c Case) []Cause {
	events := c.of(incident.SMARTLogged)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: only(devices(events)), How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.SMARTLogged}}
	drive, link := base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a drive that logged more errors", "The log has unreadable sectors (UNC, IDNF)."
	drive.Next = []Step{{"check what the last errors were: UNC is the drive's, ICRC the cable's", "smartctl -l error " + path(base.Device)}}
	link.Layer, link.Says, link.Why = incident.Link, "the cable or port of the drive", "The log has damaged transfers (ICRC) as well."
	link.Next = []Step{{"check whether the CRC count grows", "smartctl -A " + path(base.Device) + " | grep -i crc"}}
	if behindRAID(events) && c.only(base.explains) {
		drive.How = Likely
		drive.Why += " It is attached to a RAID controller, whose backplane also serves its other drives."
	}
	return []Cause{drive, link}
}}
