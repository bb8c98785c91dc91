package blame

import "assay/incident"

var power = Rule{ID: "power", Title: "Power", Check: func(c Case) []Cause {
	events := c.of(incident.UnderVoltage, incident.PowerLost, incident.USBPower)
	if len(events) == 0 {
		return nil
	}
	why, next := "The machine measured that its supply sags.", Step{"use a stronger power supply and a shorter cable; power disks separately", "vcgencmd get_throttled"}
	if len(c.of(incident.UnderVoltage, incident.USBPower)) == 0 {
		why, next = "What watches the supply says that it failed or was gone.", Step{"check which supply, feed or UPS it was, and when; try another one", "ipmitool sel elist; ipmitool sdr type 'Power Supply'"}
	}
	return []Cause{{Layer: incident.Power, Host: events[0].Host, How: VeryLikely, Says: "the power supply", Why: why, Evidence: quote(4, events), Next: []Step{next},
		explains: with(consequences, incident.UnderVoltage, incident.PowerLost, incident.USBPower, incident.USBReset, incident.USBAbort, incident.USBDescriptor, incident.USBGone, incident.USBCurrent, incident.MMCError, incident.ATATimeout, incident.ATAReset, incident.ATALinkDown, incident.NoConnect, incident.DeviceOffline, incident.Rebooted, incident.SuddenStop, incident.MCE, incident.MCELogged, incident.APICError)}}
}}
