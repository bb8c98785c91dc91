package blame

import "assay/incident"

// raidCache finds RAID controllers that may have stopped caching writes.
var raidCache = Rule{ID: "raid-cache", Title: "A RAID controller's write cache is off", Check: func(c Case) []Cause {
	events := c.of(incident.RAIDCache)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Controller, Host: events[0].Host, How: Possible, Says: "a RAID controller without its write cache: its battery or capacitors", Evidence: quote(4, events),
		Why:      "The controller says that the battery or the capacitors that would keep its cache through a power cut are worn out, or that it has turned the cache off. Each write then waits for the disks, which are slow, not broken.",
		Next:     []Step{{"check battery and cache, and replace the battery; the cache is enabled again when the new one is charged", "ssacli ctrl all show detail; storcli /c0/bbu show all; storcli /c0/cv show all"}},
		explains: []incident.Kind{incident.RAIDCache, incident.HungTask, incident.WaitsForDisk, incident.SlowSync, incident.CephSlow}}
	if c.onlyOn(cause.Host, cause.explains) {
		cause.How = VeryLikely
	}
	return []Cause{cause}
}}
