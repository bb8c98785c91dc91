package blame

import "assay/incident"

var thinPool = Rule{ID: "thin-pool", Title: "A thin pool ran full", Check: func(c Case) []Cause {
	events := c.of(incident.ThinFull, incident.SpaceError)
	if len(events) == 0 {
		return c.groupFull()
	}
	return []Cause{{Layer: incident.Volumes, Host: events[0].Host, How: VeryLikely, Says: "a thin pool ran out of space, not a drive", Why: "The pool had no block left for a write. Volumes on it get I/O errors although they show free space.", Evidence: quote(4, events), Cleared: c.noDriveErrors(),
		Next: []Step{{"check how full data and metadata are, and extend the pool", "lvs -a -o +data_percent,metadata_percent"}}, explains: with(consequences, incident.ThinFull, incident.SpaceError, incident.NoSpace, incident.TargetError, incident.HostPaused, incident.GuestDisk)}}
}}

// groupFull finds volume groups without room for a new volume or extension.
func (c *Case) groupFull() []Cause {
	events := c.of(incident.VGFull)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Volumes, Host: events[0].Host, How: Possible, Says: "a volume group that has no room left, not a drive", Why: "LVM was to create or extend a volume, and its group has fewer free extents than that needs. A thin pool that should grow automatically then doesn't.", Evidence: quote(4, events), Cleared: c.noDriveErrors(),
		Next: []Step{{"check what takes up the space, then add a physical volume or remove what is not needed", "vgs; lvs -a -o +data_percent,metadata_percent"}}, explains: []incident.Kind{incident.VGFull, incident.MountFailed}}
	if c.only(cause.explains) {
		cause.How = Likely
	}
	return []Cause{cause}
}
