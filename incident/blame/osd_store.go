package blame

import "assay/incident"

// osdStore finds OSDs that do not start because they can't open their store.
var osdStore = Rule{ID: "osd-store", Title: "An OSD can't open its store", Check: func(c Case) []Cause {
	events := c.of(incident.OSDStore)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: only(devices(events)), How: Possible, Evidence: quote(4, events), explains: []incident.Kind{incident.OSDStore, incident.PodCrash, incident.CephDown, incident.CephDegraded}, anywhere: true}
	store, drive := base, base
	store.Layer, store.Says, store.Why = incident.Engine, "the OSD's own store, which is damaged", "The store's own structures (BlueFS, RocksDB) don't agree, while no disk reported an error in these texts."
	store.Next = []Step{{"check it; an OSD whose data the others have is best recreated", "ceph-bluestore-tool fsck --path /var/lib/ceph/osd/ceph-ID"}}
	if !says(events, "(5)") && c.only(with(base.explains, incident.CephCrash, incident.CephMonDown)) {
		store.How = Likely
	}
	drive.Layer, drive.Says, drive.Why = incident.Drive, "the drive under the OSD", "A drive that lost writes or returns errors leaves the store so."
	drive.Next = []Step{{"look at its node for the drive's first error", "dmesg | grep -iE 'I/O error|medium'; smartctl -x /dev/DEVICE"}}
	return []Cause{store, drive}
}}
