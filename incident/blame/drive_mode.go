package blame

import "assay/incident"

// driveMode finds drives whose firmware does not run properly.
var driveMode = Rule{ID: "drive-mode", Title: "A drive's firmware did not start, or tells no identity", Check: func(c Case) []Cause {
	if events := c.of(incident.DriveMode); len(events) > 0 {
		return []Cause{{Layer: incident.Drive, Host: events[0].Host, Device: only(devices(events)), How: VeryLikely, Says: "a drive whose firmware is in its error mode", Evidence: quote(4, events),
			Why:      "The drive answers with the name of its controller chip or of an error mode instead of its own: its firmware could not read its tables, and holds no data that can be reached. No cable or slot makes a drive do that.",
			Next:     []Step{{"replace it; a power cycle without a computer (power on for half an hour, without data) brings some back once", "smartctl -i " + path(events[0].Device)}},
			explains: with(consequences, incident.DriveMode, incident.SMARTWorn, incident.SMARTWarning, incident.NVMeDead, incident.NVMeUnready, incident.ATADeviceFail, incident.ATATimeout, incident.SMARTRealloc, incident.RootMissing)}}
	}
	events := c.of(incident.DriveIDs)
	if len(events) == 0 || c.has(incident.NVMeOFConn, incident.PathFailed) {
		return nil
	}
	cause := Cause{Layer: incident.Drive, Host: events[0].Host, Device: only(devices(events)), How: Possible, Says: "a drive whose firmware gives an identity that is not its own", Evidence: quote(3, events),
		Why:      "The kernel leaves out a namespace whose identifier another drive has as well, or that has changed. The firmware of cheap drives gives all of them the same, and some change it as they wake up.",
		Next:     []Step{{"compare the drives' identifiers; a newer kernel may know the model (a quirk), or a firmware update mends it", "nvme id-ns -H /dev/nvme0n1 | grep -E 'nguid|eui64'; nvme list"}},
		explains: []incident.Kind{incident.DriveIDs, incident.RootMissing, incident.FSDevice, incident.MDDegraded, incident.ZFSFaulted}}
	if c.onlyOn(cause.Host, cause.explains) && !c.hasOn(cause.Host, incident.IsGuest) {
		cause.How = Likely
	}
	return []Cause{cause}
}}
