package blame

import (
	"strings"

	"assay/incident"
)

// atLinks are the signs of a failing link to a drive.
var atLinks = []incident.Kind{
	incident.ATACRC, incident.ATALinkError, incident.ATABusError, incident.ATAFatal, incident.ATATimeout, incident.ATAReset, incident.ATASlowed, incident.ATALinkDown, incident.ATADead,
	incident.CommandTimeout, incident.TransportError, incident.NoConnect, incident.DeviceOffline, incident.DeviceReset, incident.TaskAbort, incident.USBReset, incident.USBAbort, incident.SMARTCRC, incident.SMARTCRCGrew,
}

// unexplained finds I/O errors that no line explains.
var unexplained = Rule{ID: "unexplained", Title: "I/O errors without a reason", Check: func(c Case) []Cause {
	var events []incident.Event
	stacked, loops, mapped, drbds, cards := false, true, true, true, true
	for _, e := range c.withoutPlugs(c.of(incident.IOError, incident.TargetError, incident.AbortedCommand, incident.CommandTimeout, incident.ATADeviceFail, incident.NVMeInternal, incident.ATAReset)) {
		t := c.Stack.Find(e.Host, e.Device).Transport
		if t == incident.Virtual || t == incident.RBD || strings.HasPrefix(e.Device, "nbd") {
			continue
		}
		loops = loops && t == incident.Loop
		mapped = mapped && strings.HasPrefix(e.Device, "dm-")
		drbds = drbds && t == incident.DRBD
		cards = cards && t == incident.MMC
		stacked = stacked || t == incident.Mapped || t == incident.Loop || t == incident.DRBD
		events = append(events, e)
	}
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: incident.Whole(events[0].Device), How: Possible, Evidence: quote(4, events), explains: with(consequences, incident.TargetError, incident.AbortedCommand, incident.CommandTimeout, incident.ATADeviceFail, incident.NVMeInternal, incident.ATAReset, incident.ATALinkDown, incident.DeviceReset)}
	drive, link, volume := base, base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a drive", "I/O failed, and these texts do not say why."
	drive.Next = []Step{{"read the drive's own report", "smartctl -x " + path(base.Device)}}
	link.Layer, link.Says, link.Why = incident.Link, "its cable, port or power", "A disk that is cut off fails all I/O as well."
	link.Next = []Step{{"read the lines just before the first error", "journalctl -k | grep -m1 -B30 'I/O error'"}}
	volume.Layer, volume.Says, volume.Why = incident.Volumes, "the layers under a stacked device", "The device is stacked on others: look for the first error below it."
	volume.Next = []Step{{"check what lies beneath it", "lsblk -s " + path(base.Device) + "; dmsetup ls --tree"}}
	if loops {
		volume.Layer, volume.Says, volume.Why = incident.FileSystem, "the file under a loop device, or its file system", "A loop device returns I/O errors beyond the end of its file, and passes on those of the file system that holds it."
		volume.Next = []Step{{"check which file it is, how long it is, and whether its file system is healthy", "losetup --list " + path(base.Device) + "; lsblk -s " + path(base.Device)}}
	}
	if drbds {
		volume.Layer, volume.Says, volume.Why = incident.Engine, "DRBD, or the disks that it stands on", "DRBD answers for the device: it fails requests when it has lost its disk and its peers, or its quorum."
		volume.Next = []Step{{"check disk and connection states of all its hosts", "drbdadm status; dmesg | grep -i drbd"}}
	}
	// The kernel names the lower device if that one fails.
	several := mapped && len(devices(c.of(incident.IOError, incident.FSError, incident.FSAbort, incident.FSReadOnly))) > 1 // may come from another host
	if (mapped && !several || drbds) && c.onlyOn(base.Host, base.explains) && !c.has(atLinks...) && !c.hasOn(base.Host, incident.IsGuest) {
		volume.How = Likely
		if mapped {
			volume.Says = "a mapped device (LVM, encryption, thin pool), not the disks under it"
			volume.Why = "Requests failed on the mapped device, but the kernel logged no failure of a disk under it: the mapping itself refused them. A full pool, a missing volume or data that can't be decrypted does that."
		}
	}
	if c.hasOn(base.Host, incident.IsGuest) && !stacked {
		lent := base
		lent.Layer, lent.Says, lent.Why = incident.Hypervisor, "the hypervisor's storage", "This is a virtual machine: unless the disk is passed through to it, a hypervisor answers for it."
		lent.Next = []Step{{"check what the disk calls itself, and what the hypervisor logged in the same minute", treeCommand}}
		if c.onlyOn(base.Host, base.explains) && !c.Stack.Find(base.Host, base.Device).Transport.Real() && !strings.HasPrefix(base.Device, "nvme") && !c.has(incident.ATADeviceFail) {
			lent.How = Likely
		}
		return []Cause{lent, drive}
	}
	if stacked {
		return []Cause{volume, drive}
	}
	if c.severalWholeDisks(base.Host) {
		return shared(base)
	}
	if cards && c.onlyOn(base.Host, base.explains) && !c.has(atLinks...) {
		drive.How, drive.Says = Likely, "an SD card or eMMC that fails"
		drive.Why = "Reads or writes of the card failed, and its reader reports no timeouts, clock errors or undervoltage. Cards wear out."
	}
	if c.has(incident.ATADeviceFail) && hasKind(events, incident.IOError) && !c.has(atLinks...) && !c.has(incident.ATAAborted, incident.DriveLocked) {
		drive.How, drive.Says = VeryLikely, "a drive: it answers that it failed"
		drive.Why = "The drive's status says that the command failed (device error). Its answer arrived whole and in time, without CRC errors, resets or timeouts: a cable or port that fails shows those."
		return []Cause{drive}
	}
	return []Cause{drive, link}
}}
