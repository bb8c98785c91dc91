package blame

import "assay/incident"

// raidDrive takes a RAID controller at its word: the kernel sees only the volume that the
// controller makes of its drives.
var raidDrive = Rule{ID: "raid-drive", Title: "A RAID controller calls one of its drives failed", Check: func(c Case) []Cause {
	events := c.of(incident.RAIDDrive)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Drive, Host: events[0].Host, How: VeryLikely, Says: "a drive behind a RAID controller",
		Why:      "The controller says that one of its drives failed, is about to, or can't read its medium.",
		Evidence: quote(4, events),
		Next:     []Step{{"see which slot it is in and its error counts, and replace it", "storcli /call/eall/sall show all   (MegaCli64 -PDList -aAll, ssacli ctrl all show config detail)"}},
		explains: with(consequences, incident.RAIDDrive, incident.HBAFault, incident.CommandTimeout, incident.TaskAbort, incident.AbortedCommand, incident.MediumError, incident.SMARTLogged, incident.SMARTUnread),
	}}
}}
