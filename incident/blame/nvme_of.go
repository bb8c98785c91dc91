package blame

import "assay/incident"

var nvmeOF = Rule{ID: "nvme-of", Title: "An NVMe-oF connection was lost", Check: func(c Case) []Cause {
	events := c.of(incident.NVMeOFConn)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Session, Host: events[0].Host, Device: events[0].Device, How: VeryLikely, Says: "an NVMe-oF connection was lost, not a drive",
		Why:      "The host lost its NVMe-oF target: the network between them failed, or the target stopped answering.",
		Evidence: quote(5, events), Cleared: c.noDriveErrors(),
		Next:     []Step{{"check which paths are live, and compare with the target's log", "nvme list-subsys"}},
		explains: with(remoteErrors, incident.NVMeTimeout, incident.NVMeDead, incident.NVMeOFConn),
	}}
}}
