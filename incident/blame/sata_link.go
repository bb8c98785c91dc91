package blame

import (
	"fmt"
	"strings"

	"assay/incident"
)

// sataLink finds links that damage what they carry.
var sataLink = Rule{ID: "sata-link", Title: "A SATA link damages what it carries", Check: func(c Case) []Cause {
	places, of := byDevice(c.of(incident.ATACRC, incident.ATALinkError, incident.ATAFatal, incident.ATABusError, incident.ATASlowed, incident.SMARTCRC))
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
func (c *Case) mediaAt(p place) bool {
	for _, e := range c.of(incident.ATAMedia, incident.SMARTPending, incident.SMARTErrorLog, incident.SMARTSelfTest) {
		if e.Device == p.device || e.Device == "" || p.device == "" || strings.HasPrefix(e.Device, "sd") != strings.HasPrefix(p.device, "sd") {
			return true
		}
	}
	return false
}

func (c *Case) noMediaErrors() []string {
	if c.has(driveKinds...) {
		return nil
	}
	return []string{"no unreadable sector was reported, by the kernel or by SMART, in these texts"}
}
