package blame

import "assay/incident"

// unreachable finds disks that went away without any sign of how.
var unreachable = Rule{ID: "unreachable", Title: "A disk went away", Check: func(c Case) []Cause {
	events := c.of(incident.NoConnect, incident.DeviceOffline, incident.TransportError)
	if len(events) == 0 {
		return nil
	}
	d := c.Stack.Find(events[0].Host, incident.Whole(events[0].Device))
	base := Cause{Host: events[0].Host, Device: incident.Whole(events[0].Device), How: Possible, Evidence: quote(4, events), explains: with(consequences, incident.NoConnect, incident.DeviceOffline, incident.TransportError)}
	link, session := base, base
	link.Layer, link.Says, link.Why = incident.Link, "the cable, port or power of the disk", "The disk stopped being reachable, which is no error of its medium."
	link.Next = []Step{{"check what the disk is attached to and whether it came back under another name", treeCommand}}
	session.Layer, session.Says, session.Why = incident.Session, "the session or path to a remote disk", "A disk over iSCSI or Fibre Channel goes away with its session."
	session.Next = []Step{{"check whether it is remote", treeCommand + "; iscsiadm -m session"}}
	switch {
	case d.Transport.Real():
		return []Cause{link}
	case d.Transport.Remote():
		session.How = VeryLikely
		return []Cause{session}
	case says(events, "DID_TRANSPORT_") && !c.has(incident.HBAInfo, incident.HBAFault, incident.TaskAbort, incident.ParityError, incident.USBReset, incident.USBAbort, incident.USBGone):
		session.How = Likely
		session.Why = "The transport aborted the commands (DID_TRANSPORT_…). iSCSI and Fibre Channel initiators report that when they lose a target; SATA and USB drivers report errors differently."
	}
	return []Cause{link, session}
}}
