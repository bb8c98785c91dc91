package blame

import (
	"slices"

	"assay/incident"
)

// repaired finds data that were wrong on one device and right on another.
var repaired = Rule{ID: "repaired", Title: "Wrong data were repaired from another copy", Check: func(c Case) []Cause {
	events := c.of(incident.FSRepaired)
	if len(events) == 0 {
		return nil
	}
	host := events[0].Host
	damaged := slices.DeleteFunc(devices(c.of(incident.FSChecksum, incident.FSDevErrs)), func(d string) bool { return d == "" })
	base := Cause{Host: host, Device: only(damaged), How: Possible, Evidence: quote(4, events, c.of(incident.FSChecksum, incident.FSDevErrs)),
		explains: []incident.Kind{incident.FSRepaired, incident.FSChecksum, incident.FSDevErrs, incident.FSError, incident.IOError}}
	drive, link := base, base
	drive.Layer, drive.Says = incident.Drive, "a drive that returns wrong data"
	drive.Why = "The file system found data whose checksum is wrong, and repaired it from another copy that was right. Both copies were written from the same memory, so they were not damaged there: one drive stored or returned something other than it was given."
	drive.Next = []Step{{"check whether the count grows on that one device, and replace it if it does, whatever SMART says", "btrfs device stats MOUNTPOINT; btrfs scrub start -B MOUNTPOINT"}}
	link.Layer, link.Says, link.Why = incident.Link, "the cable or port of that drive", "What is damaged between memory and drive looks the same, if the link does not notice it."
	link.Next = []Step{{"check whether the drive counts damaged transfers", "smartctl -A /dev/DEVICE | grep -i crc"}}
	if len(damaged) <= 1 && !c.has(atLinks...) && !c.has(incident.HBAFault, incident.AERFatal, incident.EDACFatal, incident.EDACCorrected, incident.MemoryTest) && !c.hasOn(host, incident.IsGuest) && c.onlyOn(host, with(base.explains, incident.SMARTClean, incident.SMARTPending, incident.SMARTRealloc)) {
		drive.How = Likely
	}
	if len(damaged) > 1 {
		link.Layer, link.Says, link.Why = incident.Controller, "what several drives share: controller, backplane or power", "Several devices have copies that are wrong."
	}
	return []Cause{drive, link}
}}
