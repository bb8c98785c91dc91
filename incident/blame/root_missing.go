package blame

import "assay/incident"

// rootMissing suggests why a boot does not find its root.
var rootMissing = Rule{ID: "root-missing", Title: "A boot does not find a device", Check: func(c Case) []Cause {
	events := c.of(incident.RootMissing)
	if len(events) == 0 {
		return c.bootMount()
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.RootMissing, incident.BootMount}}
	setup, drive, link := base, base, base
	setup.Layer, setup.Says, setup.Why = incident.Operator, "how the boot is set up", "A wrong UUID, or an initramfs without the driver of the disk, as after an upgrade or a move to another controller."
	setup.Next = []Step{{"from the shell of the initramfs: see which disks there are, and compare with the command line", "cat /proc/cmdline; blkid; ls /dev/disk/by-uuid"}}
	if says(events, "unknown-block(0,0)") && c.only(base.explains) {
		setup.How = Likely
		setup.Why = "The kernel knows no block device at all when it looks for its root (unknown-block(0,0)): its initramfs is missing or was not loaded, as after an unfinished upgrade or with a full /boot."
	}
	if boot := c.of(incident.Refused); c.only(base.explains) && (says(boot, "boot") || says(boot, "symbol") || says(boot, "shim")) {
		setup.How = Likely
		setup.Evidence = quote(4, events, boot)
		setup.Why = "A boot loader or its tool, which was read from a disk, says what it does not find or accept. The firmware's list of what to boot, or what was installed on that disk, does not match."
		setup.Next = []Step{{"from a rescue system: see what the firmware boots, and install the boot loader again", "efibootmgr -v; lsblk -o NAME,FSTYPE,PARTTYPENAME,UUID; proxmox-boot-tool status"}}
	}
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a disk that is not there", "A disk that died is missing too."
	drive.Next = []Step{{"check whether the firmware shows the disk", "dmesg | grep -iE 'ata[0-9]|nvme|sd '"}}
	link.Layer, link.Says, link.Why = incident.Link, "the cable or slot of the disk", "A disk that is not connected is missing too."
	link.Next = []Step{{"reseat it", "dmesg | grep -iE 'link (up|down)'"}}
	if says(events, "/dev/mapper/") && c.has(incident.LVInactive) && c.only(base.explains) {
		volume := base
		volume.Layer, volume.How, volume.Says, volume.Why = incident.Volumes, Likely, "a logical volume that was not activated", "The volume is there, and not active (its attributes lack the a), so it has no device: LVM was not asked, or could not, when the system looked for it."
		volume.Evidence = quote(4, events, c.of(incident.LVInactive))
		volume.Next = []Step{{"activate it, then see that the initramfs does", "vgchange -ay; update-initramfs -u -k all"}}
		return []Cause{volume, setup}
	}
	return []Cause{setup, drive, link}
}}

// bootMount finds boots that stop at a file system in /etc/fstab where nothing shows what
// is wrong with it.
func (c *Case) bootMount() []Cause {
	events := c.of(incident.BootMount)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.BootMount, incident.MountFailed}}
	setup, fs := base, base
	setup.Layer, setup.Says, setup.Why = incident.Operator, "a mount that the boot waits for, and that can't be made", "systemd stops the boot where something in /etc/fstab can't be mounted that is not marked as dispensable (nofail)."
	setup.Next = []Step{{"see why, and mark it nofail (a remote one _netdev) if the system can do without it", "systemctl --failed; journalctl -b -u MOUNTPOINT.mount; findmnt --verify"}}
	fs.Layer, fs.Says, fs.Why = incident.FileSystem, "the file system that was to be mounted", "A damaged file system can't be mounted either, but then the kernel logs it, and these texts have no such lines."
	fs.Next = []Step{{"check what the kernel logged about it", "journalctl -k -b | grep -iE 'fs |mount|I/O error'"}}
	if says(events, "Failed to mount /") && !says(events, "Failed to mount /sys") && c.only(base.explains) && !c.has(incident.MountFailed) {
		setup.How = Likely
		setup.Why += " No disk and no file system reported an error."
	}
	return []Cause{setup, fs}
}
