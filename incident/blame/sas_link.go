package blame

import "assay/incident"

// sasLink finds transfers that were corrupted on the way to a SAS or parallel
// SCSI drive.
var sasLink = Rule{ID: "sas-link", Title: "A SAS link damages what it carries", Check: func(c Case) []Cause {
	events := c.of(incident.ParityError)
	if len(events) == 0 || c.sameSector() != "" && c.has(incident.ATACRC) { // libata words its CRC errors the same way
		return nil
	}
	return []Cause{{
		Layer: incident.Link, Host: events[0].Host, Device: only(devices(events)), How: VeryLikely, Says: "the cable, backplane or expander of a drive, not its medium",
		Why:      "The drive or adapter says that what it was sent arrived damaged (CRC or parity).",
		Evidence: quote(4, events, c.of(incident.AbortedCommand)), Cleared: c.noMediaErrors(),
		Next:     []Step{{"check whether link error counters grow on one phy or on all", "grep . /sys/class/sas_phy/*/{invalid_dword_count,loss_of_dword_sync_count}"}},
		explains: with(consequences, incident.ParityError, incident.AbortedCommand, incident.TransportError, incident.CommandTimeout, incident.TaskAbort, incident.HBAInfo, incident.DeviceReset, incident.ZFSChecksum),
	}}
}}
