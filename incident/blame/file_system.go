package blame

import "assay/incident"

// fileSystem looks at file systems that complain while nothing below them does.
var fileSystem = Rule{ID: "file-system", Title: "A file system is damaged, and nothing below it complains", Check: func(c Case) []Cause {
	corrupt := c.of(incident.FSCorrupt, incident.FSChecksum)
	errs := c.of(incident.FSError, incident.FSAbort, incident.FSReadOnly, incident.FSDevErrs)
	if len(corrupt)+len(errs) == 0 {
		return nil
	}
	events := append(corrupt, errs...)
	base := Cause{Host: events[0].Host, Device: events[0].Device, How: Possible, Evidence: quote(5, corrupt, errs),
		explains: []incident.Kind{incident.FSError, incident.FSAbort, incident.FSReadOnly, incident.FSCorrupt, incident.FSChecksum, incident.FSDevErrs, incident.AppIO, incident.AppReadOnly, incident.PodCrash, incident.MountFailed}}
	fs := base
	fs.Layer, fs.Says = incident.FileSystem, "damage within the file system"
	fs.Why = "The file system found its own structures inconsistent, and no device reported an error. A crash, a power cut or a bug left it so."
	fs.Next = []Step{{"unmount and check it, reading only at first", "e2fsck -fn DEVICE   (xfs_repair -n DEVICE, btrfs check --readonly DEVICE)"}}
	mem := base
	mem.Layer, mem.Says = incident.Memory, "memory that flips bits"
	mem.Why = "Checksums that fail although the devices report no error point at memory, or at data that was damaged on the way."
	mem.Next = []Step{{"test the memory; look for corrected errors", "memtester 1G 3; ras-mc-ctl --summary"}}
	if len(corrupt) == 0 {
		fs.How = Possible
		return []Cause{fs}
	}
	if hasKind(corrupt, incident.FSChecksum) {
		drive := base
		drive.Layer, drive.Says, drive.Why = incident.Drive, "a drive that returns wrong data", "Few drives do, but a checksum can't tell."
		drive.Next = []Step{{"see whether errors stay on one device", "btrfs device stats MOUNTPOINT"}}
		return []Cause{mem, drive}
	}
	return []Cause{fs, mem}
}}
