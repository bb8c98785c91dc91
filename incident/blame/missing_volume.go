package blame

import "assay/incident"

// missingVolume finds what LVM can't say: why a physical volume is missing.
var missingVolume = Rule{ID: "missing-volume", Title: "A volume group lacks a physical volume", Check: func(c Case) []Cause {
	events := c.of(incident.PVMissing)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(4, events), explains: with(consequences, incident.PVMissing)}
	if wiped := c.of(incident.PVWiped); len(wiped) > 0 {
		wipe := base
		wipe.Layer, wipe.How, wipe.Says, wipe.Why = incident.Operator, VeryLikely, "the mark of a physical volume, which was wiped", "The texts show that the mark of a volume was removed by a command, and that one is missing since. What the disk holds is still there until something writes to it."
		wipe.Evidence = quote(4, wiped, events)
		wipe.explains = with(consequences, incident.PVMissing, incident.PVWiped)
		wipe.Next = []Step{{"write the mark again, with the identity and layout from the last copy of LVM's metadata", "pvcreate --restorefile /etc/lvm/archive/FILE --uuid UUID DEVICE; vgcfgrestore VG"}}
		return []Cause{wipe}
	}
	as := func(layer incident.Layer, says, why, what, command string) Cause {
		x := base
		x.Layer, x.Says, x.Why, x.Next = layer, says, why, []Step{{what, command}}
		return x
	}
	return []Cause{
		as(incident.Drive, "the disk of the physical volume, which is gone", "LVM found no disk with the volume's mark.", "check which disks are there, and which the volume was last on", treeCommand+"; pvs -o +devices"),
		as(incident.Session, "the session to a remote disk", "A physical volume may be remote (iSCSI, NVMe-oF): it disappears when its session drops.", "check whether it is remote, and whether its session is up", "iscsiadm -m session; nvme list-subsys"),
		as(incident.Operator, "its mark was overwritten, or a filter hides it", "A disk that was repartitioned or reformatted, or that LVM's devices file does not list, is missing too.", "check whether the disk is there without a mark", "wipefs /dev/DEVICE; lvmdevices"),
	}
}}
