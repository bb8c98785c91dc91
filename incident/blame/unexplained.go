package blame

import (
	"assay/incident"
)

// unreachable finds disks that went away, where nothing says which way.
var unreachable = Rule{ID: "unreachable", Title: "A disk went away", Check: func(c Case) []Cause {
	events := c.of(incident.NoConnect, incident.DeviceOffline, incident.TransportError)
	if len(events) == 0 {
		return nil
	}
	d := c.Stack.Find(events[0].Host, incident.Whole(events[0].Device))
	base := Cause{Host: events[0].Host, Device: incident.Whole(events[0].Device), How: Possible, Evidence: quote(4, events), explains: with(consequences, incident.NoConnect, incident.DeviceOffline, incident.TransportError)}
	link, session := base, base
	link.Layer, link.Says, link.Why = incident.Link, "the cable, port or power of the disk", "The disk stopped being reachable, which is no error of its medium."
	link.Next = []Step{{"see what the disk hangs on and whether it came back under another name", treeCommand}}
	session.Layer, session.Says, session.Why = incident.Session, "the session or path to a remote disk", "A disk over iSCSI or Fibre Channel goes away with its session."
	session.Next = []Step{{"see whether it is remote", treeCommand + "; iscsiadm -m session"}}
	switch {
	case d.Transport.Real():
		return []Cause{link}
	case d.Transport.Remote():
		session.How = VeryLikely
		return []Cause{session}
	}
	return []Cause{link, session}
}}

// unexplained finds I/O errors that no line explains.
var unexplained = Rule{ID: "unexplained", Title: "I/O errors without a reason", Check: func(c Case) []Cause {
	var events []incident.Event
	stacked := false
	for _, e := range c.of(incident.IOError, incident.TargetError, incident.AbortedCommand, incident.CommandTimeout, incident.ATADeviceFail, incident.NVMeInternal, incident.ATAReset) {
		t := c.Stack.Find(e.Host, e.Device).Transport
		if t == incident.Virtual || t == incident.RBD {
			continue
		}
		stacked = stacked || t == incident.Mapped || t == incident.Loop || t == incident.DRBD
		events = append(events, e)
	}
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: incident.Whole(events[0].Device), How: Possible, Evidence: quote(4, events), explains: with(consequences, incident.TargetError, incident.AbortedCommand, incident.CommandTimeout, incident.ATADeviceFail, incident.NVMeInternal, incident.ATAReset, incident.ATALinkDown, incident.DeviceReset)}
	drive, link, volume := base, base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a drive", "I/O failed, and these texts do not say why."
	drive.Next = []Step{{"read the drive's own report", "smartctl -x " + path(base.Device)}}
	link.Layer, link.Says, link.Why = incident.Link, "its cable, port or power", "A disk that is cut off fails all I/O as well."
	link.Next = []Step{{"read the lines just before the first error", "journalctl -k | grep -m1 -B30 'I/O error'"}}
	volume.Layer, volume.Says, volume.Why = incident.Volumes, "the layers under a stacked device", "The device stands on others: the first error below it counts."
	volume.Next = []Step{{"see what it stands on", "lsblk -s " + path(base.Device) + "; dmsetup ls --tree"}}
	if stacked {
		return []Cause{volume, drive}
	}
	return []Cause{drive, link}
}}
