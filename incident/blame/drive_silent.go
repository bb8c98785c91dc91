package blame

import (
	"slices"

	"assay/incident"
)

// driveSilent finds drives that do not answer requests for their SMART logs.
var driveSilent = Rule{ID: "drive-silent", Title: "A drive does not tell its SMART logs", Check: func(c Case) []Cause {
	events := c.of(incident.SMARTUnread)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: only(devices(events)), How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.SMARTUnread}}
	drive, link := base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a drive that no longer returns its logs", "It returned them before, or smartd would not ask for them: failing drives stop doing so."
	drive.Next = []Step{{"ask it by hand, and run its long self-test", "smartctl -x " + path(base.Device)}}
	link.Layer, link.Says, link.Why = incident.Link, "the way to the drive: cable, bridge or controller", "A bridge or controller that is busy or lost answers in the drive's place."
	link.Next = []Step{{"look for resets of its port in the same minute", "journalctl -k | grep -iE 'ata[0-9]|reset|timeout'"}}
	if behindRAID(events) && c.only(base.explains) {
		drive.How = Likely
		drive.Why = "It returned them before, or smartd would not ask for them. Its RAID controller answered, but could not get them from this drive."
	}
	return []Cause{drive, link}
}}

// behindRAID reports whether smartd reaches a drive through a RAID controller.
func behindRAID(events []incident.Event) bool {
	return slices.ContainsFunc([]string{"[megaraid_disk_", "[cciss_disk_", "[areca_disk#", "[3ware_disk_", "[aacraid_disk_"}, func(behind string) bool { return says(events, behind) })
}
