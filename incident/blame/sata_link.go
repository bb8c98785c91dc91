package blame

import (
	"fmt"
	"slices"
	"strings"

	"assay/incident"
	"assay/internal/lazyregexp"
)

// sataLink finds links that corrupt transfers.
var sataLink = Rule{ID: "sata-link", Title: "A SATA link damages what it carries", Check: func(c Case) []Cause {
	places, of := byDevice(c.withoutPlugs(c.of(incident.ATACRC, incident.ATALinkError, incident.ATAFatal, incident.ATABusError, incident.ATASlowed, incident.SMARTCRC, incident.SMARTCRCGrew, incident.ATAWoken)))
	var found []Cause
	for _, p := range places {
		events := of[p]
		damaged := hasKind(events, incident.ATACRC) || hasKind(events, incident.ATALinkError)
		woken := hasKind(events, incident.ATAWoken) && !damaged
		if woken && !hasKind(events, incident.ATAFatal) && !hasKind(events, incident.ATABusError) {
			continue // no more than a pulled or waking drive shows
		}
		if c.has(incident.ATAAborted) && !slices.ContainsFunc(events, func(e incident.Event) bool { return e.Kind != incident.ATASlowed }) {
			continue // libata also slows the link when a drive rejects commands
		}
		media := c.mediaAt(p)
		if media && !hasKind(events, incident.ATACRC) {
			continue // the drive reports a bad medium: resets follow from that
		}
		how := Possible
		away := !says(events, "ICRC") && c.wasAway(p)
		given := !hasKind(events, incident.ATACRC) && c.givenUp(p) || away
		if !given && (damaged || hasKind(events, incident.ATAFatal) && !woken) && !media {
			how = VeryLikely
		}
		if how == Possible && !given && !media && !woken && slices.ContainsFunc(events, damagedBetween) {
			how = Likely
		}
		if hasKind(events, incident.SMARTCRCGrew) && !given && !media {
			how = VeryLikely
		}
		if how == Possible && !given && !media && most(events, incident.SMARTCRC) >= manyCRC && c.has(incident.ATATimeout, incident.ATABusError, incident.ATAFatal, incident.IOError, incident.ZFSIO, incident.ZFSChecksum, incident.AbortedCommand, incident.CommandTimeout) && !c.has(driveKinds...) {
			how = Likely
		}
		link := Cause{
			Layer: incident.Link, Host: p.host, Device: p.device, How: how, Says: "the cable, backplane or power of a drive, not its medium",
			Why:      fmt.Sprintf("Data between controller and drive (%s) arrived damaged, and no sector was unreadable.", p.named()),
			Evidence: quote(5, events), Cleared: c.noMediaErrors(),
			Next: []Step{{"replace or reseat the cable, or move the drive to another bay, then see that the CRC count stays", "smartctl -A /dev/DEVICE | grep -i crc"}},
			explains: with(consequences, incident.ATACRC, incident.ATALinkError, incident.ATAFatal, incident.ATABusError, incident.ATASlowed, incident.SMARTCRC, incident.SMARTCRCGrew, incident.SMARTLogged, incident.ATATimeout, incident.ATAReset, incident.ATALinkDown,
				incident.ATADead, incident.AbortedCommand, incident.ZFSChecksum, incident.DeviceReset, incident.CommandTimeout, incident.TransportError, incident.NoConnect, incident.DeviceOffline, incident.SMARTRealloc, incident.ATADeviceFail, incident.ParityError, incident.ATAWoken),
		}
		if given {
			dead := link
			dead.Layer, dead.Says = incident.Drive, "a drive that died"
			dead.Why = fmt.Sprintf("The kernel gave the drive up (%s). One whose electronics fail disturbs its link as well, before it is gone.", p.named())
			dead.Next = []Step{{"try it with another cable and on another port: if it is not found there either, it is the drive", "smartctl -x /dev/DEVICE"}}
			if away && !c.givenUp(p) {
				dead.Says = "a drive that loses its power or restarts by itself"
				dead.Why = fmt.Sprintf("The drive was gone from its port (%s) for a moment. One whose firmware or electronics fail restarts, and disturbs its link as well.", p.named())
			}
			found = append(found, dead)
		}
		if woken {
			link.Why = fmt.Sprintf("The link (%s) was lost for a moment and woken (PHYRdyChg, CommWake), and no transfer is said to have arrived damaged.", p.named())
			asleep := link
			asleep.Layer, asleep.Says = incident.Operator, "power saving of the link or the drive"
			asleep.Why = "A link or a drive that is put to sleep in the middle of work looks the same."
			asleep.Next = []Step{{"check what puts drives and links to sleep, and turn it off as a test", "grep . /sys/class/scsi_host/host*/link_power_management_policy; systemctl status hd-idle hdparm tlp"}}
			found = append(found, asleep)
		}
		found = append(found, link)
	}
	if sector := c.sameSector(); sector != "" && len(places) > 1 && slices.ContainsFunc(found, func(x Cause) bool { return hasKind(x.Evidence, incident.ATACRC) }) {
		shared := found[0]
		shared.Layer, shared.Device, shared.How, shared.Says = incident.Controller, "", Likely, "the controller or its driver, which fails at an address"
		shared.Why = "Two drives failed at the same sector (" + sector + "). A cable can't single out an address: something that both drives share can't handle it, such as an old controller that can't address drives this large."
		shared.Next = []Step{{"check which controller it is, and put the drives on another", "lspci -nnk | grep -iA3 -E 'sata|ide|raid'"}}
		for i := range found {
			found[i].How = Possible
		}
		return append([]Cause{shared}, merge(found)...)
	}
	return merge(found)
}}

var sectorForm = lazyregexp.New(`I/O error, dev ([a-z]+), sector (\d{5,20})`)

// sameSector returns the sector at which several drives failed, or "".
func (c *Case) sameSector() string {
	at := map[string]string{}
	for _, e := range c.of(incident.IOError) {
		if m := sectorForm.FindStringSubmatch(e.Text); m != nil {
			if other, there := at[m[2]]; there && other != m[1] {
				return m[2]
			}
			at[m[2]] = m[1]
		}
	}
	return ""
}

// manyCRC is a CRC error count that a drive on a good cable does not reach.
const manyCRC = 100

// damagedBetween reports whether the adapter saw a bus error while the drive
// reported none: the drive's status and error registers follow "res".
func damagedBetween(e incident.Event) bool {
	return e.Kind == incident.ATABusError && (strings.Contains(e.Text, "res 40/00:") || strings.Contains(e.Text, "res 50/00:"))
}

// givenUp reports whether the kernel gave up on the drive at a port.
func (c *Case) givenUp(p place) bool {
	return slices.ContainsFunc(c.of(incident.ATADead), func(e incident.Event) bool { return e.Device == p.device && e.Host == p.host })
}

// wasAway reports whether a port lost its drive.
func (c *Case) wasAway(p place) bool {
	return slices.ContainsFunc(c.of(incident.ATALinkDown), func(e incident.Event) bool { return e.Device == p.device && e.Host == p.host })
}

// mediaAt reports whether the drive at a port reports media errors, or may be the one that
// does.
func (c *Case) mediaAt(p place) bool {
	for _, e := range c.of(incident.ATAMedia, incident.SMARTPending, incident.SMARTErrorLog, incident.SMARTSelfTest) {
		if !sameHost(e.Host, p.host) {
			continue
		}
		named := strings.HasPrefix(e.Device, "sd") == strings.HasPrefix(p.device, "sd")
		if e.Device == p.device || e.Device == "" || p.device == "" || !named && c.oneReport(p.host) {
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
