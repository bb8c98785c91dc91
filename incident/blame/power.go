package blame

import "assay/incident"

var power = Rule{ID: "power", Title: "Power", Check: func(c Case) []Cause {
	events := c.of(incident.UnderVoltage, incident.PowerLost, incident.USBPower)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{Layer: incident.Power, Host: events[0].Host, How: VeryLikely, Says: "the power supply", Why: "The machine measured that its supply sags or is gone.", Evidence: quote(4, events),
		Next:     []Step{{"use a stronger supply and a shorter cable; power disks by themselves", "vcgencmd get_throttled   (ipmitool sel list on a server)"}},
		explains: with(consequences, incident.UnderVoltage, incident.PowerLost, incident.USBPower, incident.USBReset, incident.USBAbort, incident.USBDescriptor, incident.USBGone, incident.USBCurrent, incident.MMCError, incident.ATATimeout, incident.ATAReset, incident.ATALinkDown, incident.NoConnect, incident.DeviceOffline, incident.Rebooted)}}
}}
