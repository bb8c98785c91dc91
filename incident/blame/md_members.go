package blame

import "assay/incident"

// mdMembers says what md's own lines can't: why a member failed.
var mdMembers = Rule{ID: "md-members", Title: "An md array lost a member", Check: func(c Case) []Cause {
	events := c.of(incident.MDFailed, incident.MDKicked)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: events[0].Device, How: Possible, Evidence: quote(4, events), explains: []incident.Kind{incident.MDFailed, incident.MDKicked}}
	drive, link := base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "the member that failed", "md removes a member after its first error that can't be corrected; the lines before say which."
	drive.Next = []Step{{"read the member's SMART report", "smartctl -x " + path(incident.Whole(events[0].Device))}}
	link.Layer, link.Says, link.Why = incident.Link, "cable, power or a reset of the member's port", "md also removes a member that was away for a moment."
	link.Next = []Step{{"look for resets before it", "dmesg | grep -iE 'ata[0-9]|reset|link'"}}
	return []Cause{drive, link}
}}
