package blame

import "assay/incident"

// lvmMetadata finds what keeps LVM and device mapper from setting up volumes.
var lvmMetadata = Rule{ID: "lvm-metadata", Title: "LVM can't set its volumes up", Check: func(c Case) []Cause {
	if twice := c.of(incident.PVTwice); len(twice) > 0 {
		return c.twice(twice)
	}
	damaged, refused := c.of(incident.LVMDamaged), c.of(incident.MapRefused)
	events := append(damaged, refused...)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: only(devices(events)), How: Possible, Evidence: quote(4, events),
		explains: []incident.Kind{incident.LVMDamaged, incident.MapRefused, incident.MountFailed, incident.RootMissing, incident.AppIO}}
	own, busy := base, base
	own.Layer = incident.Volumes
	own.Says, own.Why = "a volume that device mapper can't set up, not a drive", "The kernel refused the table of a volume, or parts of a pool are active on their own, as after a repair or an interrupted boot. No disk reported an error in these texts."
	own.Next = []Step{{"check which parts are active, and deactivate the pool's before activating it as a whole", "dmsetup ls --tree; lvs -a -o +lv_active; lvchange -an VG/POOL_tmeta VG/POOL_tdata; lvchange -ay VG/POOL"}}
	if len(damaged) > 0 {
		own.Says, own.Why = "LVM's own metadata, which are damaged", "LVM found a checksum of its metadata wrong, or copies that differ. No disk reported an error in these texts: something wrote over them, or a write was cut short."
		own.Next = []Step{{"check what LVM still knows, and restore from the last copy", "pvck --dump headers /dev/DEVICE; vgcfgrestore --list VG"}}
	}
	busy.Layer, busy.Says, busy.Why = incident.Operator, "something else that holds the disk, or was done to it", "A disk that another program has open, or that was written to by hand, can't be set up either."
	busy.Next = []Step{{"see who holds it", "lsblk /dev/DEVICE; fuser -v /dev/DEVICE"}}
	if c.onlyOn(base.Host, base.explains) && !says(events, "busy") {
		own.How = Likely
	}
	return []Cause{own, busy}
}}

// twice finds disks with the same label: a copy, or two paths to one disk.
func (c *Case) twice(events []incident.Event) []Cause {
	cause := Cause{Layer: incident.Operator, Host: events[0].Host, Device: only(devices(events)), How: Possible, Says: "two disks with the label of one physical volume", Evidence: quote(4, events),
		Why:  "LVM found the same physical volume on more than one device: a clone or snapshot of a disk, a member of a mirror that LVM is let see, or two paths to one disk of which multipath was to make one. It does not use them rather than choose the wrong one.",
		Next: []Step{{"check which they are, and hide all but one", "lsblk -o NAME,SIZE,SERIAL,WWN; pvs -a; lvmdevices"}}, explains: []incident.Kind{incident.PVTwice, incident.MapRefused, incident.LVMDamaged, incident.MountFailed, incident.RootMissing}}
	if c.onlyOn(cause.Host, cause.explains) {
		cause.How = Likely
	}
	return []Cause{cause}
}
