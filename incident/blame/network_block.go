package blame

import (
	"strings"

	"assay/incident"
)

// networkBlock finds errors of a disk served by a process, here or elsewhere.
var networkBlock = Rule{ID: "network-block", Title: "A network block device (NBD)", Check: func(c Case) []Cause {
	var events []incident.Event
	for _, e := range c.of(incident.IOError, incident.CommandTimeout) {
		if strings.HasPrefix(e.Device, "nbd") {
			events = append(events, e)
		}
	}
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Engine, Host: events[0].Host, Device: only(devices(events)), How: Likely, Says: "the server of a network block device, not a drive in this machine",
		Why:      "A process answers for the disk: a server of a replicated store, or one on this machine that passes requests on (rbd-nbd, qemu-nbd). It ended, stopped answering, or lost the way to its data.",
		Evidence: quote(4, events), Cleared: c.noDriveErrors(),
		Next:     []Step{{"check which process it is, whether it runs, and what it logged in the same minute", "nbd-client -c " + path(incident.Whole(events[0].Device)) + "; ps -ef | grep -i nbd"}},
		explains: with(consequences, incident.CommandTimeout),
	}}
}}
