package blame

import "assay/incident"

// raidDrive trusts the RAID controller: the kernel sees only the volume that the
// controller builds from its drives.
var raidDrive = Rule{ID: "raid-drive", Title: "A RAID controller calls one of its drives failed", Check: func(c Case) []Cause {
	events := c.of(incident.RAIDDrive)
	if len(events) == 0 {
		return c.degraded()
	}
	return []Cause{{
		Layer: incident.Drive, Host: events[0].Host, How: VeryLikely, Says: "a drive behind a RAID controller",
		Why:      "The controller reports that one of its drives has failed, is about to fail, or can't read its medium.",
		Evidence: quote(4, events),
		Next:     []Step{{"check which slot it is in and its error counts, and replace it", "storcli /call/eall/sall show all   (MegaCli64 -PDList -aAll, ssacli ctrl all show config detail)"}},
		explains: with(consequences, incident.RAIDDrive, incident.RAIDDegraded, incident.HBAFault, incident.CommandTimeout, incident.TaskAbort, incident.AbortedCommand, incident.MediumError, incident.SMARTLogged, incident.SMARTUnread),
	}}
}}

// degraded finds hardware RAID arrays that lack a drive where nothing shows why.
func (c *Case) degraded() []Cause {
	events := c.of(incident.RAIDDegraded)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: only(devices(events)), How: Possible, Evidence: quote(3, events), explains: with(consequences, incident.RAIDDegraded, incident.SMARTUnread, incident.NoConnect, incident.DeviceOffline),
		Next: []Step{{"check which drive is missing, and what the controller logged when it dropped it", "storcli /call/eall/sall show; storcli /call show events   (MegaCli64 -AdpEventLog -GetLatest 100 -f LOG -aAll)"}}}
	drive, link := base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a drive that the RAID controller dropped", "An array is degraded when one of its drives failed or is gone."
	drive.How = Likely
	link.Layer, link.Says, link.Why = incident.Link, "the backplane, cable or power of that drive", "A controller also drops a drive that was away for a moment."
	return []Cause{drive, link}
}
