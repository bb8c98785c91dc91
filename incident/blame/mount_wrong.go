package blame

import (
	"slices"

	"assay/incident"
)

// members maps the types that mount reports for disks that are part of something to what
// to mount instead.
var members = map[string]string{
	"LVM2_member": "a physical volume of LVM: mount a logical volume of it", "linux_raid_member": "a member of an md array: mount the array", "zfs_member": "a disk of a ZFS pool: import the pool",
	"crypto_LUKS": "an encrypted volume: open it first", "drbd": "the backing disk of DRBD: mount the DRBD device", "mpath_member": "a path of a multipath device: mount that one", "bcache": "the backing disk of bcache: mount the bcache device",
}

// mountWrong finds mounts of something that is not a file system.
var mountWrong = Rule{ID: "mount-wrong", Title: "A mount asks for a type that is no file system", Check: func(c Case) []Cause {
	events := c.of(incident.MountWrong)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Operator, Host: events[0].Host, How: VeryLikely, Says: "how it was asked to be mounted, not the disk", Why: "This system knows no file system of that name: a line of fstab has its columns wrong, or the package or module for it is missing.", Evidence: quote(3, events),
		Next: []Step{{"check which file system is on the disk, and compare it with fstab", "lsblk -f; grep -v '^#' /etc/fstab"}}, explains: []incident.Kind{incident.MountWrong, incident.MountFailed, incident.PodCrash}}
	if what, is := members[events[0].Device]; is {
		cause.Says, cause.Why = "the wrong device was asked to be mounted, not a bad disk", "The device is "+what+"."
	}
	// A file system whose type can't be detected may be damaged.
	if !c.only(cause.explains) || slices.ContainsFunc(events, func(e incident.Event) bool { return e.Device == "" || e.Device == "auto" }) {
		cause.How = Possible
	}
	return []Cause{cause}
}}
