package blame

import (
	"fmt"
	"slices"
	"strings"

	"assay/incident"
)

// driveMedia finds sectors that a SATA or SAS drive reports as unreadable.
var driveMedia = Rule{ID: "drive-media", Title: "A drive can't read its own medium", Check: func(c Case) []Cause {
	places, of := byDevice(c.of(incident.ATAMedia, incident.MediumError, incident.HardwareError, incident.WriteReadError))
	var found []Cause
	for _, p := range places {
		d := c.Stack.Find(p.host, p.device)
		events := of[p]
		if d.Transport.Remote() || d.Transport == incident.Virtual || hasKind(events, incident.WriteReadError) && !behindHBA(d) || strings.HasPrefix(p.device, "nvme") {
			continue
		}
		if !d.Transport.Real() && c.podsOn(p) {
			continue
		}
		cause := Cause{
			Layer: incident.Drive, Host: p.host, Device: p.device, Says: "a drive: it can't read some of its sectors", How: VeryLikely,
			Why:      fmt.Sprintf("%s reports that it can't read its own medium; a bad cable or controller shows as CRC errors or timeouts instead.", p.named()),
			Evidence: quote(4, events), Next: []Step{{"check whether pending or media errors grew, and run a long self-test", fmt.Sprintf("smartctl -x %s; smartctl -t long %s", path(p.device), path(p.device))}},
			explains: with(consequences, incident.ATAMedia, incident.MediumError, incident.HardwareError, incident.ATADeviceFail, incident.ATATimeout, incident.ATAReset, incident.ATABusError, incident.AbortedCommand, incident.SMARTRealloc,
				incident.SMARTCRC, incident.CommandTimeout, incident.TaskAbort, incident.HBAInfo, incident.DeviceReset, incident.SMARTPending, incident.SMARTSelfTest, incident.SMARTErrorLog, incident.SMARTFailed, incident.SMARTMedia, incident.ZFSChecksum),
		}
		switch {
		case c.smartConfirms(p):
			cause.How = Certain
			cause.Evidence = quote(6, events, c.of(smartKinds...))
			cause.Why += " Its SMART report counts the same errors."
			cause.Next = []Step{{"replace it; copy what is only there first, reading good areas first", fmt.Sprintf("ddrescue -n %s IMAGE MAP", path(p.device))}}
		case hasKind(events, incident.ATAMedia), d.Transport.Real(), c.has(incident.ATAMedia, incident.ATADeviceFail), c.has(smartKinds...):
		case says(events, "auto reallocate failed"):
			cause.Why += " The words \"auto reallocate failed\" are what the kernel makes of an unreadable sector of a SATA drive."
			cause.Next = append([]Step{{"make sure that the disk is a drive in this machine (TRAN sata or sas)", treeCommand + " " + path(p.device)}}, cause.Next...)
		case strings.HasSuffix(d.Address, ":0") && !c.writesFailed(p) && !c.longhorn() && !c.has(incident.ISCSIConn, incident.ISCSIDead, incident.ISCSILogin):
			cause.Why += " Only reads failed, and the disk is LUN 0. It is unlikely to be an iSCSI volume: Longhorn's target (tgt) keeps LUN 0 for its controller, and LIO reports failures differently."
			cause.Next = append([]Step{{"make sure that the disk is a drive in this machine (TRAN sata or sas)", treeCommand + " " + path(p.device)}}, cause.Next...)
		case behindHBA(d):
			cause.How = Likely
			cause.Why += fmt.Sprintf(" Its address (%s) is one of several targets of an adapter: a session of iSCSI has one.", d.Address)
			cause.Next = append([]Step{{"make sure that the disk is a drive in this machine (TRAN sata or sas)", treeCommand + " " + path(p.device)}}, cause.Next...)
		case says(events, "No data available"), says(events, "rror=61"), says(events, " err=61 "):
			cause.How = Likely
			cause.Why = "The error is ENODATA (61), which the block layer returns where a drive reports an unreadable sector."
		case c.partitioned(p), c.has(incident.MDFailed, incident.MDCorrected, incident.ZFSIO, incident.ZFSFaulted, incident.CephIO, incident.HBAInfo, incident.TaskAbort, incident.RAIDDrive), says(events, "ahcich"), says(events, ":mps"), says(events, ":mpr"):
			cause.How = Likely
			cause.Why += " The disk has partitions, is part of an array or pool, or is attached to an adapter: a replicated volume over iSCSI rarely is any of that."
			found = append(found, c.perhapsRemote(p, d, events))
		default:
			cause.How = Possible
			cause.Next = append([]Step{{"check whether the disk is a drive at all: TRAN says sata, sas, usb or iscsi", treeCommand + " " + path(p.device)}}, cause.Next...)
			found = append(found, c.perhapsRemote(p, d, events))
		}
		found = append(found, cause)
	}
	return merge(found)
}}

// perhapsRemote returns the alternative cause if a medium error comes from a disk about
// which nothing is known.
func (c *Case) perhapsRemote(p place, d incident.Device, events []incident.Event) Cause {
	cause := c.overISCSI(p, incident.Device{}, events)
	cause.How = Possible
	cause.Says = "a volume that another machine or process answers for (iSCSI)"
	if strings.HasSuffix(d.Address, ":0:0:1") && !strings.HasPrefix(d.Address, "0:") && !c.has(incident.USBReset, incident.USBAbort, incident.USBGone) { // host 0 exists since boot: an adapter
		cause.How = Likely
		cause.Why = "The disk is LUN 1 of its target. Drives in a machine are LUN 0; tgt, which Longhorn uses, keeps LUN 0 for itself. " + cause.Why
	}
	return cause
}

// partitioned reports whether the texts mention a partition of a disk.
func (c *Case) partitioned(p place) bool {
	return p.device != "" && slices.ContainsFunc(c.Events, func(e incident.Event) bool {
		return e.Host == p.host && e.Device != p.device && incident.Whole(e.Device) == p.device
	})
}

// writesFailed reports whether the kernel lost writes to a disk: a drive answers those with a
// write error.
func (c *Case) writesFailed(p place) bool {
	return slices.ContainsFunc(c.of(incident.IOError), func(e incident.Event) bool {
		return e.Host == p.host && incident.Whole(e.Device) == p.device && strings.Contains(e.Text, "lost ") && strings.Contains(e.Text, "page write")
	})
}

// smartConfirms reports whether a drive's SMART report, or the only one of its host,
// counts media errors.
func (c *Case) smartConfirms(p place) bool {
	for _, e := range c.of(incident.SMARTFailed, incident.SMARTPending, incident.SMARTMedia, incident.SMARTSelfTest, incident.SMARTErrorLog) {
		if sameHost(e.Host, p.host) && (e.Device == "" || e.Device == incident.ControllerOf(p.device) || strings.HasPrefix(p.device, "ata") && c.oneReport(p.host)) {
			return true
		}
	}
	return false
}

// oneReport reports whether only one drive of a host reports about itself. The kernel may
// call it by its port (ata3), smartctl by its disk (sda).
func (c *Case) oneReport(host string) bool {
	reports := slices.DeleteFunc(c.of(with(smartKinds, incident.SMARTClean, incident.SMARTCRC, incident.SMARTCRCGrew)...), func(e incident.Event) bool { return !sameHost(e.Host, host) })
	return len(devices(reports)) <= 1
}

func says(events []incident.Event, words string) bool {
	for _, e := range events {
		if strings.Contains(e.Text, words) {
			return true
		}
	}
	return false
}
