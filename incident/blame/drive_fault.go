package blame

import "assay/incident"

// driveFault finds SATA drives that set the device fault bit.
var driveFault = Rule{ID: "drive-fault", Title: "A SATA drive reports a fault of its own", Check: func(c Case) []Cause {
	events := c.of(incident.ATAFault)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Drive, Host: events[0].Host, Device: only(devices(events)), How: VeryLikely, Says: "a drive that reports a fault of its own",
		Why:      "The drive set its device-fault bit (DF): it can't carry out the command, and its answer arrived intact.",
		Evidence: quote(4, events, c.of(incident.ATADeviceFail)), Next: []Step{{"read its SMART report, if it still gives one, and replace it", "smartctl -x /dev/DEVICE"}},
		explains: with(consequences, incident.ATAFault, incident.ATADeviceFail, incident.ATAAborted, incident.ATAReset, incident.ATATimeout, incident.AbortedCommand, incident.HardwareError, incident.TargetError, incident.ZFSChecksum),
	}}
}}
