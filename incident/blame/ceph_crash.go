package blame

import "assay/incident"

// cephCrash finds Ceph daemons that crashed.
var cephCrash = Rule{ID: "ceph-crash", Title: "A daemon of Ceph crashed", Check: func(c Case) []Cause {
	events := c.of(incident.CephCrash)
	if len(events) == 0 || c.has(incident.CephIO) {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: only(devices(events)), How: Possible, Evidence: quote(4, events), explains: []incident.Kind{incident.CephCrash, incident.CephDown, incident.CephDegraded, incident.PodCrash}, anywhere: true}
	engine, drive := base, base
	engine.Layer, engine.Says, engine.Why = incident.Engine, "the daemon itself, or its store", "A daemon aborts when it finds an impossible state: a bug, or a store that is damaged or full."
	engine.Next = []Step{{"read why, and whether it is known", "ceph crash ls; ceph crash info ID"}}
	if (says(events, "ceph_assert") || says(events, "ceph_abort") || says(events, "Segmentation fault")) && !says(events, "KernelDevice") && c.only(with(base.explains, incident.CephMonDown, incident.OSDStore)) {
		engine.How = Likely
		engine.Why += " No disk reported an error in these texts."
	}
	drive.Layer, drive.Says, drive.Why = incident.Drive, "the drive under the daemon", "An OSD also ends itself when its disk fails or answers too late."
	drive.Next = []Step{{"look at its node for the drive's first error", "dmesg | grep -iE 'I/O error|medium'; smartctl -x /dev/DEVICE"}}
	return []Cause{engine, drive}
}}
