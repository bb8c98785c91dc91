package blame

import (
	"slices"
	"strings"

	"assay/incident"
)

// mdMembers finds what md's own lines can't say: why a member failed.
var mdMembers = Rule{ID: "md-members", Title: "An md array lost a member", Check: func(c Case) []Cause {
	events := c.of(incident.MDFailed, incident.MDKicked)
	if len(events) == 0 {
		return append(c.inactive(), c.degradedArray()...)
	}
	base := Cause{Host: events[0].Host, Device: events[0].Device, How: Possible, Evidence: quote(4, events), explains: []incident.Kind{incident.MDFailed, incident.MDKicked, incident.MDDegraded, incident.MDCorrected}}
	drive, link := base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "the member that failed", "md removes a member after its first error that can't be corrected; the lines before say which."
	drive.Next = []Step{{"read the member's SMART report", "smartctl -x " + path(incident.Whole(events[0].Device))}}
	members := slices.DeleteFunc(devices(events), func(d string) bool { return strings.HasPrefix(d, "md") })
	mapped := slices.ContainsFunc(members, func(d string) bool { return strings.HasPrefix(d, "dm-") }) // such as LVM: it is stacked
	if len(members) <= 1 && !mapped && hasKind(events, incident.MDFailed) && !hasKind(events, incident.MDKicked) && !c.has(atLinks...) && !c.has(incident.USBGone, incident.HBAInfo, incident.HBAFault, incident.MapFails, incident.IsGuest) {
		drive.How = Likely
		drive.Why += " Nothing in these texts speaks of its link: no reset, timeout or damaged transfer."
	}
	link.Layer, link.Says, link.Why = incident.Link, "cable, power or a reset of the member's port", "md also removes a member that was away for a moment."
	link.Next = []Step{{"look for resets before it", "dmesg | grep -iE 'ata[0-9]|reset|link'"}}
	return []Cause{drive, link}
}}

// inactive finds arrays that were not started because members were missing.
func (c *Case) inactive() []Cause {
	events := c.of(incident.MDInactive)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: events[0].Device, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.MDInactive, incident.RootMissing, incident.MountFailed}}
	drive, link, setup := base, base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a member that is gone", "md does not start an array that lacks more members than it can do without."
	drive.Next = []Step{{"check which members are missing, and whether the others agree (Events)", "cat /proc/mdstat; mdadm --examine /dev/sd?1 | grep -E '/dev|Events|Role|State'"}}
	link.Layer, link.Says, link.Why = incident.Link, "cable, controller or power of members that came late or not at all", "Members that were away for a moment have an older count of events."
	link.Next = []Step{{"look for resets, and put it together by hand if the counts are close", "dmesg | grep -iE 'ata[0-9]|reset|link'; mdadm --stop /dev/mdX; mdadm --assemble --scan -v"}}
	setup.Layer, setup.Says, setup.Why = incident.Operator, "how the array is put together at boot", "An old mdadm.conf in the initramfs, or members that another array or program holds, keep it from starting."
	setup.Next = []Step{{"compare the two", "mdadm --detail --scan; cat /etc/mdadm/mdadm.conf; update-initramfs -u"}}
	return []Cause{drive, link, setup}
}

// degradedArray finds arrays that lack a member, or had to rewrite a sector of one, if
// nothing says why.
func (c *Case) degradedArray() []Cause {
	if corrected := c.of(incident.MDCorrected); len(corrected) > 0 {
		device := only(devices(corrected))
		cause := Cause{Layer: incident.Drive, Host: corrected[0].Host, Device: device, How: Possible, Says: "a member with unreadable sectors, which md rewrote", Evidence: quote(4, corrected),
			Why:      "A read from one member failed. md rebuilt the data from the others and wrote it back, and the sector could be read again: rewriting repairs a bad sector, not a cable.",
			Next:     []Step{{"check whether its replaced or pending sectors grow", "smartctl -x " + path(incident.Whole(device))}},
			explains: []incident.Kind{incident.MDCorrected, incident.MDDegraded, incident.IOError}}
		if !c.has(atLinks...) && !c.has(incident.USBGone, incident.HBAInfo, incident.HBAFault, incident.IsGuest) && c.onlyOn(cause.Host, cause.explains) {
			cause.How = Likely
		}
		return []Cause{cause}
	}
	if bare := c.of(incident.MDNoSuper); len(bare) > 0 {
		return c.noSuperblock(bare)
	}
	events := c.of(incident.MDDegraded)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: only(devices(events)), How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.MDDegraded, incident.MDInactive}}
	drive, link := base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "an array member that failed or is missing", "The array lacks a member. md drops one after an error that it can't correct."
	drive.Next = []Step{{"check which member is missing, and read its SMART report", "mdadm --detail /dev/mdX; smartctl -x /dev/DEVICE"}}
	link.Layer, link.Says, link.Why = incident.Link, "the cable, port or power of that member", "A member that was away for a moment is missing until it is added again."
	link.Next = []Step{{"look for resets before it was dropped", "journalctl -k | grep -iE 'ata[0-9]|reset|link|md/'"}}
	return []Cause{drive, link}
}

// noSuperblock finds devices that md does not know as members.
func (c *Case) noSuperblock(events []incident.Event) []Cause {
	base := Cause{Host: events[0].Host, Device: only(devices(events)), How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.MDNoSuper, incident.MDInactive, incident.MDDegraded, incident.RootMissing, incident.MountFailed}}
	setup, array := base, base
	setup.Layer, setup.Says, setup.Why = incident.Operator, "the wrong device, or one whose label was overwritten", "A disk that was repartitioned or reformatted, or the whole disk instead of its partition, has no md superblock."
	setup.Next = []Step{{"check which devices bear one", "mdadm --examine --scan -v; lsblk -f"}}
	array.Layer, array.Says, array.Why = incident.Volumes, "the array's own superblock, which is damaged", "A superblock or bitmap whose checksum is wrong is not used."
	array.Next = []Step{{"read each member's metadata before anything is written", "mdadm --examine /dev/sd?1"}}
	return []Cause{setup, array}
}
