package blame

import "assay/incident"

// activation finds volumes that LVM did not set up, or left half set up, although it had
// their disks.
var activation = Rule{ID: "activation", Title: "LVM left volumes half set up", Check: func(c Case) []Cause {
	stuck, skipped := c.of(incident.LVStuck), c.of(incident.VGSkipped)
	cause := Cause{Layer: incident.Volumes, How: Possible, Cleared: c.noDriveErrors(),
		explains: []incident.Kind{incident.LVStuck, incident.VGSkipped, incident.MapRefused, incident.BootMount, incident.MountFailed, incident.RootMissing, incident.Refused, incident.AppIO}}
	var events []incident.Event
	switch {
	case len(stuck) > 0:
		events = stuck
		cause.Says = "LVM or its thin pool, which was left half set up"
		cause.Why = "LVM could not switch a volume or pool from one state to the next: parts of it are active, suspended or locked while others are not. A command that was interrupted, a crash amid a snapshot, or two commands at once leave it so. The disks were read."
		cause.Next = []Step{{"list the active devices of the pool, deactivate the whole pool and activate it again; repair its metadata only if that fails", "dmsetup ls --tree; dmsetup info -c; lvchange -an VG/POOL && lvchange -ay VG/POOL"}}
	case len(skipped) > 0 && c.has(incident.BootMount, incident.MountFailed, incident.RootMissing):
		events = append(skipped, c.of(incident.BootMount, incident.RootMissing)...)
		cause.Says = "LVM, which did not activate a volume group at boot"
		cause.Why = "LVM saw that the volume group was complete and left its activation to another event, and the system waited in vain for a volume."
		cause.Next = []Step{{"activate it by hand, and see what activates it at boot", "vgchange -ay VG; systemctl list-units 'lvm-activate*'; journalctl -b -u 'lvm*'"}}
	default:
		return nil
	}
	cause.Host, cause.Evidence = events[0].Host, quote(4, events)
	if c.onlyOn(cause.Host, cause.explains) {
		cause.How = Likely
	}
	return []Cause{cause}
}}
