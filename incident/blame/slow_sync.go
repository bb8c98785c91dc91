package blame

import "assay/incident"

// slowSync finds a cluster's database that waits for its disk to make writes durable.
var slowSync = Rule{ID: "slow-sync", Title: "A database waits for its disk", Check: func(c Case) []Cause {
	events := c.of(incident.SlowSync)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.SlowSync, incident.NodeNotReady, incident.NoRoute}}
	drive, under := base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a disk whose synchronous writes are slow", "Each write of a database waits until the disk has it for good. Drives without a protected cache, and busy ones, take long."
	drive.Next = []Step{{"measure synchronous writes where the database lies, and see what else writes there", "assay run --suite sync; iostat -x 1 5"}}
	under.Layer, under.Says, under.Why = incident.Hypervisor, "the storage under a virtual machine's disk", "The disk of a guest is as slow as what its hypervisor keeps it on."
	under.Next = []Step{{"see whether this is a guest, and measure on the hypervisor too", "systemd-detect-virt"}}
	if c.onlyOn(base.Host, base.explains) && c.hasOn(base.Host, incident.IsGuest) && (says(events, "sync") || says(events, "slow disk")) { // large requests take long as well
		under.How = Likely
	}
	return []Cause{drive, under}
}}
