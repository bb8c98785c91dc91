package blame

import "assay/incident"

// noFileSystem finds mounts of devices without a recognisable file system, and file
// systems that hit an internal limit.
var noFileSystem = Rule{ID: "no-file-system", Title: "No file system is found where one was", Check: func(c Case) []Cause {
	if limit := c.of(incident.FSLimit); len(limit) > 0 {
		return []Cause{{Layer: incident.FileSystem, Host: limit[0].Host, Device: limit[0].Device, How: VeryLikely, Says: "a limit of the file system, not a drive", Why: "A directory's index holds no more entries: no file can be created in it, although there is free space.", Evidence: quote(3, limit), Cleared: c.noDriveErrors(),
			Next: []Step{{"find the directory, and spread its files over several, or allow a larger index", "find / -xdev -type d -size +1M; tune2fs -O large_dir /dev/DEVICE"}}, explains: []incident.Kind{incident.FSLimit, incident.NoSpace, incident.PodCrash}}}
	}
	if lacks := c.of(incident.FSDevice); len(lacks) > 0 {
		return c.lacksDevice(lacks)
	}
	events := c.of(incident.FSNoSuper)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: events[0].Device, How: Possible, Evidence: quote(4, events), explains: []incident.Kind{incident.FSNoSuper, incident.MountFailed, incident.PodCrash, incident.RootMissing}}
	setup, fs, drive := base, base, base
	setup.Layer, setup.Says, setup.Why = incident.Operator, "the wrong device, or one that was overwritten", "A whole disk instead of its partition, a new partition table or a reformatted disk has no such file system."
	setup.Next = []Step{{"check what is on the device and on its partitions", "lsblk -f; wipefs " + path(base.Device)}}
	fs.Layer, fs.Says, fs.Why = incident.FileSystem, "the file system, whose superblock is damaged", "A file system whose first block is damaged is not recognised."
	fs.Next = []Step{{"try a copy of the superblock, reading only", "mke2fs -n " + path(base.Device) + "; e2fsck -n -b 32768 " + path(base.Device) + "   (xfs_repair -n, btrfs-select-super for others)"}}
	drive.Layer, drive.Says, drive.Why = incident.Drive, "the drive, which can't be read there", "A read that fails looks the same to mount."
	drive.Next = []Step{{"look for errors of the device", "journalctl -k | grep -iE 'I/O error|medium'; smartctl -x " + path(incident.Whole(base.Device))}}
	return []Cause{setup, fs, drive}
}}

// lacksDevice returns the causes where a multi-device file system has lost a
// device.
func (c *Case) lacksDevice(events []incident.Event) []Cause {
	base := Cause{Host: events[0].Host, Device: events[0].Device, How: Possible, Evidence: quote(3, events),
		explains: []incident.Kind{incident.FSDevice, incident.FSError, incident.FSReadOnly, incident.FSAbort, incident.MountFailed, incident.RootMissing}}
	drive, link := base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a device of the file system that is gone", "The file system spans several devices, and one of them was not found."
	drive.Next = []Step{{"check which devices there are and which is missing", "btrfs filesystem show; " + treeCommand}}
	link.Layer, link.Says, link.Why = incident.Link, "the cable, port or power of that device", "A device that is not connected is missing too."
	link.Next = []Step{{"look for its port", "dmesg | grep -iE 'link (up|down)|ata[0-9]|usb'"}}
	return []Cause{drive, link}
}
