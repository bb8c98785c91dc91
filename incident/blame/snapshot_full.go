package blame

import "assay/incident"

var snapshotFull = Rule{ID: "snapshot-full", Title: "A snapshot of LVM ran full", Check: func(c Case) []Cause {
	events := c.of(incident.SnapshotFull)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{Layer: incident.Volumes, Host: events[0].Host, How: VeryLikely, Says: "a snapshot of LVM that ran full, not a drive", Why: "A snapshot that has no room for another changed block is dropped, and reading it fails from then on. Its origin is not affected.", Evidence: quote(4, events), Cleared: c.noDriveErrors(),
		Next: []Step{{"check which snapshot it is, and remove it or recreate it with more room", "lvs -o +data_percent,origin"}}, explains: with(consequences, incident.SnapshotFull)}}
}}
