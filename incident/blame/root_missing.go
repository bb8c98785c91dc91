package blame

import "assay/incident"

// rootMissing says what a boot that does not find its root can't.
var rootMissing = Rule{ID: "root-missing", Title: "A boot does not find a device", Check: func(c Case) []Cause {
	events := c.of(incident.RootMissing)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.RootMissing}}
	setup, drive, link := base, base, base
	setup.Layer, setup.Says, setup.Why = incident.Operator, "how the boot is set up", "A wrong UUID, or an initramfs without the driver of the disk, as after an upgrade or a move to another controller."
	setup.Next = []Step{{"from the shell of the initramfs: see which disks there are, and compare with the command line", "cat /proc/cmdline; blkid; ls /dev/disk/by-uuid"}}
	if says(events, "unknown-block(0,0)") && c.only(base.explains) {
		setup.How = Likely
		setup.Why = "The kernel knows no block device at all by the time it wants its root (unknown-block(0,0)): its initramfs is missing or was not loaded, as after an upgrade that was not finished or a full /boot."
	}
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a disk that is not there", "A disk that died is missing too."
	drive.Next = []Step{{"see whether the firmware shows the disk", "dmesg | grep -iE 'ata[0-9]|nvme|sd '"}}
	link.Layer, link.Says, link.Why = incident.Link, "the cable or slot of the disk", "A disk that is not connected is missing too."
	link.Next = []Step{{"reseat it", "dmesg | grep -iE 'link (up|down)'"}}
	return []Cause{setup, drive, link}
}}
