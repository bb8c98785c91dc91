package blame

import "assay/incident"

var thinPool = Rule{ID: "thin-pool", Title: "A thin pool ran full", Check: func(c Case) []Cause {
	events := c.of(incident.ThinFull, incident.SpaceError)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{Layer: incident.Volumes, Host: events[0].Host, How: VeryLikely, Says: "a thin pool ran out of space, not a drive", Why: "The pool had no block left for a write. Volumes on it get I/O errors although they show free space.", Evidence: quote(4, events), Cleared: c.noDriveErrors(),
		Next: []Step{{"see how full data and metadata are, and extend the pool", "lvs -a -o +data_percent,metadata_percent"}}, explains: with(consequences, incident.ThinFull, incident.SpaceError, incident.NoSpace, incident.TargetError, incident.HostPaused, incident.GuestDisk)}}
}}
