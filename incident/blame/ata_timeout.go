package blame

import (
	"fmt"

	"assay/incident"
)

// ataTimeout finds ports whose commands were not answered. Several at once share
// something; a single one may be the drive, its cable or its power.
var ataTimeout = Rule{ID: "ata-timeout", Title: "SATA commands were not answered", Check: func(c Case) []Cause {
	places, of := byDevice(c.of(incident.ATATimeout, incident.ATADead, incident.ATALinkDown))
	var events []incident.Event
	var ports []string
	for _, p := range places {
		if !hasKind(of[p], incident.ATATimeout) && !hasKind(of[p], incident.ATADead) {
			continue
		}
		events = append(events, of[p]...)
		ports = append(ports, p.device)
	}
	if len(events) == 0 {
		return nil
	}
	all := with(consequences, incident.ATATimeout, incident.ATADead, incident.ATAReset, incident.ATALinkDown, incident.NoConnect, incident.DeviceOffline, incident.CommandTimeout, incident.ATADeviceFail, incident.AbortedCommand, incident.ZFSChecksum)
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(5, events), explains: all}
	if len(ports) == 1 {
		base.Device = ports[0]
	}
	link, drive := base, base
	link.Layer, link.Says = incident.Link, "cable or power of the drive"
	link.Why = "The drive did not answer and logged no damaged transfer: a loose plug or a supply that sags does that."
	link.Next = []Step{{"reseat or replace the data and power cables; check whether CRC errors or power cycles increase", "smartctl -A /dev/DEVICE | grep -iE 'crc|power'"}}
	drive.Layer, drive.Says = incident.Drive, "the drive"
	drive.Why = "A drive that retries a bad sector for longer than the kernel waits looks the same."
	drive.Next = []Step{{"read its error log and pending sectors, and run its long self-test", "smartctl -x /dev/DEVICE; smartctl -t long /dev/DEVICE"}}
	if len(ports) >= 3 {
		shared := base
		shared.Layer, shared.Says = incident.Controller, fmt.Sprintf("what %d ports share: controller or power", len(ports))
		shared.Why = "Several drives stopped responding at once. Independent drives do not fail at the same moment."
		shared.Next = []Step{{"check which controller the ports are of", "ls -l /sys/class/ata_port/"}}
		return []Cause{shared, link}
	}
	return []Cause{link, drive}
}}
