package blame

import "assay/incident"

// nvmeInternal finds NVMe drives that report a failure without a reason.
var nvmeInternal = Rule{ID: "nvme-internal", Title: "An NVMe drive answers with an internal error", Check: func(c Case) []Cause {
	events := c.of(incident.NVMeInternal)
	if len(events) == 0 {
		return nil
	}
	name := incident.ControllerOf(events[0].Device)
	if c.has(incident.NVMeOFConn, incident.NVMeGone, incident.NVMeDown, incident.NVMeDead, incident.AERFatal, incident.AERCorrected) || c.hasOn(events[0].Host, incident.IsGuest) {
		return nil // something else may be answering, or the path failed
	}
	why := "The drive completed commands with the status \"internal error\" (sct 0x0 / sc 0x6). The answer arrived on time and intact; a bad slot or power state would cause timeouts instead."
	if says(events, "persistent internal error") {
		why = "The drive itself reported a persistent internal error (an asynchronous event) and had to be reset. Because that report got through, the slot and its link work."
	}
	return []Cause{{
		Layer: incident.Drive, Host: events[0].Host, Device: name, How: Likely, Says: "an NVMe drive that reports an internal error",
		Why:      why,
		Evidence: quote(4, events, c.of(incident.IOError)), Next: []Step{{"check its error log and its firmware", "nvme error-log " + path(name) + "; nvme smart-log " + path(name) + "; nvme fw-log " + path(name)}},
		explains: with(consequences, incident.NVMeInternal, incident.TargetError, incident.ZFSChecksum, incident.SectorAgain),
	}}
}}
