package blame

import "assay/incident"

// driveLocked finds SATA drives that refuse reads. A drive locked with a password refuses
// all of them, as does one that can't start its medium; one with bad sectors names the
// sectors.
var driveLocked = Rule{ID: "drive-locked", Title: "A SATA drive refuses to be read", Check: func(c Case) []Cause {
	refused, locked := c.of(incident.ATAAborted), c.of(incident.DriveLocked)
	if len(refused)+len(locked) == 0 || c.has(incident.ATAFault, incident.ATAMedia, incident.ATACRC, incident.ATALinkError, incident.SMARTPending) {
		return nil
	}
	events := append(refused, locked...)
	base := Cause{Host: events[0].Host, Device: events[0].Device, How: Possible, Evidence: quote(4, events), explains: with(consequences, incident.ATAAborted, incident.DriveLocked, incident.ATASlowed, incident.ATAReset, incident.ATADeviceFail, incident.AbortedCommand)}
	lock, drive := base, base
	lock.Layer, lock.Says = incident.Operator, "a drive that is locked with a password"
	lock.Why = "The drive answered reads at once and refused them (ABRT), and named no sector: a locked drive does that with every read, and still tells what it is."
	lock.Next = []Step{{"check whether it is locked: \"locked\" instead of \"not locked\"", "hdparm -I /dev/DEVICE | grep -A8 Security"}}
	drive.Layer, drive.Says = incident.Drive, "a drive that can't start its medium"
	drive.Why = "A drive whose firmware failed refuses reads as well."
	drive.Next = []Step{{"read its own report", "smartctl -x /dev/DEVICE"}}
	if len(locked) > 0 {
		lock.How, lock.Why = VeryLikely, "The drive says that it is locked. It refuses reads until it is given its password."
		lock.Next = []Step{{"give it its password", "hdparm --user-master u --security-unlock PASSWORD /dev/DEVICE"}}
		return []Cause{lock}
	}
	if c.hasOn(base.Host, incident.IsGuest) {
		lent := base
		lent.Layer, lent.Says, lent.Why = incident.Hypervisor, "the hypervisor's storage", "This is a virtual machine: unless the disk is passed through, the hypervisor answers for it, and fails what its own storage fails."
		lent.Next = []Step{{"check what the disk calls itself, and what the hypervisor logged in the same minute", treeCommand}}
		return []Cause{lent, drive}
	}
	return []Cause{lock, drive}
}}
