package blame

import (
	"slices"
	"strings"

	"assay/incident"
)

// mdMembers says what md's own lines can't: why a member failed.
var mdMembers = Rule{ID: "md-members", Title: "An md array lost a member", Check: func(c Case) []Cause {
	events := c.of(incident.MDFailed, incident.MDKicked)
	if len(events) == 0 {
		return c.inactive()
	}
	base := Cause{Host: events[0].Host, Device: events[0].Device, How: Possible, Evidence: quote(4, events), explains: []incident.Kind{incident.MDFailed, incident.MDKicked}}
	drive, link := base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "the member that failed", "md removes a member after its first error that can't be corrected; the lines before say which."
	drive.Next = []Step{{"read the member's SMART report", "smartctl -x " + path(incident.Whole(events[0].Device))}}
	members := slices.DeleteFunc(devices(events), func(d string) bool { return strings.HasPrefix(d, "md") })
	mapped := slices.ContainsFunc(members, func(d string) bool { return strings.HasPrefix(d, "dm-") }) // as of LVM: it stands on others
	if len(members) <= 1 && !mapped && hasKind(events, incident.MDFailed) && !hasKind(events, incident.MDKicked) && !c.has(atLinks...) && !c.has(incident.USBGone, incident.HBAInfo, incident.HBAFault, incident.MapFails, incident.IsGuest) {
		drive.How = Likely
		drive.Why += " Nothing in these texts speaks of its link: no reset, timeout or damaged transfer."
	}
	link.Layer, link.Says, link.Why = incident.Link, "cable, power or a reset of the member's port", "md also removes a member that was away for a moment."
	link.Next = []Step{{"look for resets before it", "dmesg | grep -iE 'ata[0-9]|reset|link'"}}
	return []Cause{drive, link}
}}

// inactive finds arrays that were not started because members were not there.
func (c *Case) inactive() []Cause {
	events := c.of(incident.MDInactive)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: events[0].Device, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.MDInactive, incident.RootMissing, incident.MountFailed}}
	drive, link, setup := base, base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a member that is gone", "md does not start an array that lacks more members than it can do without."
	drive.Next = []Step{{"see which members are missing, and whether the others agree (Events)", "cat /proc/mdstat; mdadm --examine /dev/sd?1 | grep -E '/dev|Events|Role|State'"}}
	link.Layer, link.Says, link.Why = incident.Link, "cable, controller or power of members that came late or not at all", "Members that were away for a moment have an older count of events."
	link.Next = []Step{{"look for resets, and put it together by hand if the counts are close", "dmesg | grep -iE 'ata[0-9]|reset|link'; mdadm --stop /dev/mdX; mdadm --assemble --scan -v"}}
	setup.Layer, setup.Says, setup.Why = incident.Operator, "how the array is put together at boot", "An old mdadm.conf in the initramfs, or members that another array or program holds, keep it from starting."
	setup.Next = []Step{{"compare the two", "mdadm --detail --scan; cat /etc/mdadm/mdadm.conf; update-initramfs -u"}}
	return []Cause{drive, link, setup}
}
