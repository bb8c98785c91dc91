package blame

import (
	"slices"
	"strings"
	"time"

	"assay/incident"
)

// hba finds adapters that reset, or many disks that fail together.
var hba = Rule{ID: "hba", Title: "A storage adapter, or what its disks share", Check: func(c Case) []Cause {
	all := with(consequences, incident.HBAInfo, incident.TaskAbort, incident.CommandTimeout, incident.NoConnect, incident.TransportError, incident.DeviceOffline, incident.DeviceReset, incident.ZFSChecksum, incident.AbortedCommand, incident.ATATimeout, incident.ATAReset)
	if events := c.of(incident.HBAFault); len(events) > 0 {
		return []Cause{{
			Layer: incident.Controller, Host: events[0].Host, How: VeryLikely, Says: "the storage adapter: it faulted or was reset", Why: "The adapter's driver says so. All disks behind it fail at once.",
			Evidence: quote(4, events), Next: []Step{{"look at its firmware, heat and slot; compare the driver's and firmware's versions", "dmesg | grep -iE 'mpt|megaraid|hpsa|aacraid' | head -50"}}, explains: all,
		}}
	}
	events := c.of(incident.HBAInfo, incident.TaskAbort, incident.CommandTimeout, incident.AbortedCommand)
	hit := devices(ofDisks(c.of(incident.TaskAbort, incident.CommandTimeout, incident.IOError, incident.AbortedCommand)))
	if len(events) == 0 || !c.has(incident.HBAInfo, incident.TaskAbort, incident.CommandTimeout) && len(hit) < 2 || c.has(incident.ISCSIConn, incident.ISCSIDead) {
		return nil
	}
	shared := Cause{Layer: incident.Link, Host: events[0].Host, How: Possible, Says: "cable, backplane, expander or power", Why: "Commands timed out or links were reset without a media error.", Evidence: quote(4, events), explains: all,
		Next: []Step{{"check whether link error counters grow on one phy or on all", "grep . /sys/class/sas_phy/*/{invalid_dword_count,loss_of_dword_sync_count}"}}}
	drive := Cause{Layer: incident.Drive, Host: events[0].Host, How: Possible, Says: "the drive that times out", Why: "One drive that retries for too long makes the adapter reset its link.", Evidence: quote(4, events), explains: all,
		Next: []Step{{"read the drive's error counters and run its self-test", "smartctl -x /dev/DEVICE"}}}
	if c.hasOn(events[0].Host, incident.IsGuest) && !c.has(incident.HBAInfo) {
		lent := drive
		lent.Layer, lent.Says, lent.Why = incident.Hypervisor, "the hypervisor's storage", "This is a virtual machine: unless the disk is passed through to it, a hypervisor answers for it, and did so late or not at all."
		lent.Next = []Step{{"on the hypervisor: see how busy the image's storage is, and its log for the same minute", "iostat -x 1 5; journalctl -k --since '1 hour ago'"}}
		if c.onlyOn(lent.Host, all) {
			lent.How = Likely
		}
		return []Cause{lent, drive}
	}
	if atOnce(ofDisks(c.of(incident.TaskAbort, incident.CommandTimeout, incident.IOError, incident.AbortedCommand))) && c.has(incident.AbortedCommand, incident.TaskAbort) && !c.has(driveKinds...) && !c.has(incident.MediumError, incident.HardwareError, incident.USBReset) {
		shared.How = Likely
		shared.Why = "Several disks failed within the same second, and none of them reported an unreadable sector. Disks do not fail together by themselves: what they share was gone for a moment, or somebody pulled it."
	}
	if len(hit) >= 3 {
		return []Cause{shared}
	}
	if len(hit) == 1 {
		drive.Device, shared.Device = hit[0], hit[0]
		drive.Next[0].Command = "smartctl -x " + path(hit[0])
	}
	return []Cause{shared, drive}
}}

// ofDisks leaves out events of mapped devices and arrays, which fail with their disks.
func ofDisks(events []incident.Event) []incident.Event {
	return slices.DeleteFunc(events, func(e incident.Event) bool {
		return strings.HasPrefix(e.Device, "dm-") || strings.HasPrefix(e.Device, "md")
	})
}

// atOnce reports whether several disks failed within a second.
func atOnce(events []incident.Event) bool {
	for i, a := range events {
		for _, b := range events[i+1:] {
			if d, known := b.First.Since(a.First); known && d <= time.Second && a.Host == b.Host && a.Device != "" && b.Device != "" && incident.Whole(a.Device) != incident.Whole(b.Device) {
				return true
			}
		}
	}
	return false
}
