package blame

import (
	"fmt"
	"strings"

	"assay/incident"
)

// ataOf keeps the events of ATA ports, and of reports of drives.
func (c Case) ataPorts(kinds ...incident.Kind) ([]place, map[place][]incident.Event) {
	return byDevice(c.of(kinds...))
}

// sataLink finds links that damage what they carry.
var sataLink = Rule{ID: "sata-link", Title: "A SATA link damages what it carries", Check: func(c Case) []Cause {
	places, of := c.ataPorts(incident.ATACRC, incident.ATALinkError, incident.ATAFatal, incident.ATABusError, incident.ATASlowed, incident.SMARTCRC)
	var found []Cause
	for _, p := range places {
		events := of[p]
		crc := hasKind(events, incident.ATACRC) || hasKind(events, incident.ATALinkError) || hasKind(events, incident.ATAFatal)
		media := c.mediaAt(p)
		if media && !hasKind(events, incident.ATACRC) {
			continue // the drive says that its medium is bad: resets follow from that
		}
		how := Possible
		if crc && !media {
			how = VeryLikely
		}
		found = append(found, Cause{
			Layer: incident.Link, Host: p.host, Device: p.device, How: how, Says: "the cable, backplane or power of a drive, not its medium",
			Why:      fmt.Sprintf("Data between controller and drive (%s) arrived damaged, and no sector was unreadable.", p.named()),
			Evidence: quote(5, events), Cleared: c.noMediaErrors(),
			Next: []Step{{"replace or reseat the cable, or move the drive to another bay, then see that the CRC count stays", "smartctl -A /dev/DEVICE | grep -i crc"}},
			explains: with(consequences, incident.ATACRC, incident.ATALinkError, incident.ATAFatal, incident.ATABusError, incident.ATASlowed, incident.SMARTCRC, incident.ATATimeout, incident.ATAReset, incident.ATALinkDown,
				incident.ATADead, incident.AbortedCommand, incident.ZFSChecksum, incident.DeviceReset, incident.CommandTimeout, incident.TransportError, incident.NoConnect, incident.DeviceOffline, incident.SMARTRealloc, incident.ATADeviceFail),
		})
	}
	return merge(found)
}}

// mediaAt reports whether the drive at a port says that its medium is bad.
func (c Case) mediaAt(p place) bool {
	for _, e := range c.of(incident.ATAMedia, incident.SMARTPending, incident.SMARTErrorLog, incident.SMARTSelfTest) {
		if e.Device == p.device || e.Device == "" || p.device == "" || strings.HasPrefix(e.Device, "sd") != strings.HasPrefix(p.device, "sd") {
			return true
		}
	}
	return false
}

func (c Case) noMediaErrors() []string {
	if c.has(driveKinds...) {
		return nil
	}
	return []string{"no unreadable sector was reported, by the kernel or by SMART, in these texts"}
}

// ataTimeout finds ports whose commands were not answered. Several at once share
// something; one alone may be the drive, its cable or its power.
var ataTimeout = Rule{ID: "ata-timeout", Title: "SATA commands were not answered", Check: func(c Case) []Cause {
	places, of := c.ataPorts(incident.ATATimeout, incident.ATADead, incident.ATALinkDown)
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
	link.Next = []Step{{"reseat or replace data and power cable; see whether CRC errors or power cycles grow", "smartctl -A /dev/DEVICE | grep -iE 'crc|power'"}}
	drive.Layer, drive.Says = incident.Drive, "the drive"
	drive.Why = "A drive that retries a bad sector for longer than the kernel waits looks the same."
	drive.Next = []Step{{"read its error log and pending sectors, and run its long self-test", "smartctl -x /dev/DEVICE; smartctl -t long /dev/DEVICE"}}
	if len(ports) >= 3 {
		shared := base
		shared.Layer, shared.Says = incident.Controller, fmt.Sprintf("what %d ports share: controller or power", len(ports))
		shared.Why = "Several drives stopped answering, which do not fail together by themselves."
		shared.Next = []Step{{"see which controller the ports are of", "ls -l /sys/class/ata_port/"}}
		return []Cause{shared, link}
	}
	return []Cause{link, drive}
}}
