package blame

import "assay/incident"

// poolDamaged finds thin and cache pools with damaged metadata of their own.
var poolDamaged = Rule{ID: "pool-damaged", Title: "A thin or cache pool is damaged", Check: func(c Case) []Cause {
	events := c.of(incident.PoolDamaged)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{
		Layer: incident.Volumes, Host: events[0].Host, Device: events[0].Device, How: VeryLikely, Says: "the metadata of a thin or cache pool, which are damaged",
		Why:      "LVM does not activate the pool because the map of its blocks is inconsistent. A power cut, a full pool or an error of the disk below leaves it so. The volumes in it can't be reached until it is repaired.",
		Evidence: quote(4, events), Cleared: c.noDriveErrors(),
		Next:     []Step{{"copy the metadata before repairing them, and see how full they were", "lvs -a -o +lv_metadata_size,metadata_percent; lvchange -ay VG/POOL_tmeta && thin_check /dev/VG/POOL_tmeta; lvconvert --repair VG/POOL"}},
		explains: with(consequences, incident.PoolDamaged, incident.ThinFull, incident.RootMissing, incident.FSCheck),
	}
	if !c.onlyOn(cause.Host, cause.explains) {
		cause.How = Possible // another failure may have damaged it
		cause.explains = []incident.Kind{incident.PoolDamaged}
	}
	return []Cause{cause}
}}
