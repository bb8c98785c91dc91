package blame

import "assay/incident"

var noSpace = Rule{ID: "no-space", Title: "A file system is full", Check: func(c Case) []Cause {
	events := c.of(incident.NoSpace, incident.DiskPressure)
	full := c.of(incident.FSFull)
	explains := []incident.Kind{incident.NoSpace, incident.FSFull, incident.DiskPressure, incident.PodCrash, incident.MountFailed, incident.NodeNotReady, incident.LeaseLost, incident.HostPaused}
	how := VeryLikely
	if len(events) == 0 && !c.onlyOn(firstHost(full), explains) {
		how = Possible // it may have been full for a long time without any complaint
	}
	if events = append(events, full...); len(events) == 0 {
		return nil
	}
	return []Cause{{Layer: incident.FileSystem, Host: events[0].Host, Device: only(devices(full)), How: how, Says: "a full file system, not a drive", Why: "A write found no room.", Evidence: quote(4, events), Cleared: c.noDriveErrors(),
		Next: []Step{{"check whether the file system is out of bytes or of inodes", "df -h; df -i"}}, explains: explains}}
}}
