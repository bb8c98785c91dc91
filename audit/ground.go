package audit

import (
	"fmt"
	"strings"

	"assay"
)

// memoryFileSystems keep files in memory, with no drive below.
var memoryFileSystems = map[string]bool{"tmpfs": true, "ramfs": true, "devtmpfs": true}

// dir returns the facts of the measured directory; nil if the subject is no
// directory or nothing is known about it.
func (l look) dir() *assay.DirFacts {
	if l.Trial.Subject.Kind != assay.KindDirectory {
		return nil
	}
	return l.facts.Dir(l.Trial.Subject.Name)
}

// isDevice reports whether the subject has no file system.
func (l look) isDevice() bool {
	return l.Trial.Subject.Kind == assay.KindDrive || l.Trial.Subject.Kind == assay.KindDevice
}

// theDrive is the missing fact if nobody said what the figures were measured
// on.
const theDrive = "drive that was measured"

// device returns the block device directly under the subject. If there is none,
// missing names the unknown and hint says why. What the volume reported when lending
// space comes first: a device that exists only while lent is in no inventory.
func (l look) device() (name, missing, hint string) {
	if l.other == "" && len(l.Scratch.Devices) == 1 {
		return l.Scratch.Devices[0], "", ""
	}
	if !l.known && !l.foreign() {
		return "", "facts of host " + l.Trial.Subject.Host, "take the host's inventory along with the figures"
	}
	if b := l.facts.DeviceAt(l.Trial.Subject.Name); l.Trial.Subject.Kind == assay.KindDevice && b != nil {
		return b.Name, "", ""
	}
	if l.Trial.Subject.Kind == assay.KindDrive && (!l.foreign() || l.facts.Device(strings.TrimPrefix(l.Trial.Subject.Name, "/dev/")) != nil) {
		return strings.TrimPrefix(l.Trial.Subject.Name, "/dev/"), "", ""
	}
	d := l.dir()
	switch {
	case l.foreign() && (d == nil || d.Device == "" && !memoryFileSystems[d.FileSystem]):
		if name = l.givenDrive(); name != "" {
			return name, "", ""
		}
		return "", theDrive, "tell what it is"
	case d == nil:
		return "", "facts of " + l.Trial.Subject.Name, "take the inventory with this directory as an argument"
	case d.Device == "":
		return "", "block device under " + d.Path, noDevice(d.FileSystem)
	case d.FileSystem == "btrfs" && len(d.Drives) > 1:
		return "", "block device under " + d.Path, "this btrfs spans several devices; measure one of them alone"
	}
	return d.Device, "", ""
}

// noDevice says why a file system has no block device of its own.
func noDevice(fs string) string {
	switch {
	case memoryFileSystems[fs]:
		return fs + " is in memory, with no drive under it; name a directory on a disk"
	case fs == "zfs":
		return "a ZFS dataset has no single block device under it; watch zpool iostat during the run"
	case strings.HasPrefix(fs, "nfs") || fs == "cifs" || fs == "smb3" || fs == "ceph" || strings.HasPrefix(fs, "fuse") || fs == "9p" || fs == "virtiofs":
		return fs + " is served by another machine or process: check the counters there"
	case fs == "overlay":
		return "an overlay has no block device of its own; name a directory on the file system below it"
	case fs == "":
		return "the file system is unknown too"
	}
	return fs + " shows no block device of its own"
}

// drives returns the disks at the bottom of the subject. If they are unknown,
// missing names what is not known and hint how to supply it.
func (l look) drives() (drives []assay.BlockDevice, missing, hint string) {
	device, missing, hint := l.device()
	if d := l.dir(); d != nil && len(d.Drives) > 0 {
		for _, name := range d.Drives {
			b := l.facts.Device(name)
			if b == nil && l.foreign() {
				return nil, theDrive, "tell what it is"
			}
			if b == nil {
				return nil, "facts of drive " + name, "take the inventory with lsblk and /sys readable"
			}
			drives = append(drives, *b)
		}
		return drives, "", ""
	}
	if missing != "" {
		return nil, missing, hint
	}
	if b := l.facts.Device(device); b != nil {
		return []assay.BlockDevice{*b}, "", ""
	}
	if l.foreign() {
		return nil, theDrive, "tell what it is"
	}
	return nil, "facts of drive " + device, "take the inventory with lsblk and /sys readable"
}

// orFact replaces a missing drive, about which nothing at all is known, by the one
// fact about it that would do.
func orFact(missing, fact string) string {
	if missing == theDrive {
		return fact
	}
	return missing
}

// shownBy says where to see a fact about a drive: a file on Linux, a PowerShell command on
// Windows.
func (l look) shownBy(file, command string) string {
	if l.facts.OS.Windows {
		return command + " shows it"
	}
	return file + " shows it"
}

// virtual reports whether a drive is presented by a hypervisor or a server, so that
// what it reports says nothing about the hardware below.
func (l look) virtual(d assay.BlockDevice) bool {
	switch d.Bus {
	case assay.BusVirtio, assay.BusXen, assay.BusISCSI, assay.BusLoop:
		return true
	case assay.BusNVMe:
		return strings.HasPrefix(d.Model, "QEMU")
	}
	return l.facts.CPU.Virtual != nil && *l.facts.CPU.Virtual
}

// dataset returns the ZFS facts of the directory; nil if unknown.
func (l look) dataset() *assay.PoolFacts {
	d := l.dir()
	if d == nil {
		return nil
	}
	for _, name := range []string{d.Dataset, d.Source} {
		if p := l.facts.Pool(name); p != nil && name != "" {
			return p
		}
	}
	pool, _, _ := strings.Cut(d.Dataset, "/")
	if pool == "" {
		return nil
	}
	return l.facts.Pool(pool)
}

// lentDataset returns the facts of the measured dataset or zvol; nil if it is not ZFS.
func (l look) lentDataset() *assay.PoolFacts {
	if d := l.dir(); d != nil {
		if d.FileSystem != "zfs" {
			return nil
		}
		return l.dataset()
	}
	if p := l.facts.Pool(l.Trial.Subject.Name); p != nil && p.Kind == "zfs" {
		return p
	}
	return nil
}

// zfsSetting returns the ZFS setting in force: the lease's own comes before the
// dataset's. It is "" if unknown.
func (l look) zfsSetting(name string) string {
	set := l.lentDataset()
	if set == nil {
		return ""
	}
	if value := l.Trial.Lend[name]; value != "" {
		return value
	}
	return set.Properties[name]
}

// logDrives returns the drives that a synchronous write waits for: those of the log
// device, if the ZFS pool has one.
func (l look) logDrives() (drives []assay.BlockDevice, missing, hint string) {
	if set := l.lentDataset(); set != nil {
		pool, _, _ := strings.Cut(strings.Fields(set.Name)[0], "/")
		if p := l.facts.Pool(pool); p != nil && p.Properties["slog"] != "" {
			for name := range strings.FieldsSeq(p.Properties["slog"]) {
				b := l.facts.Device(name)
				if b == nil {
					return nil, "facts of drive " + name, "take the inventory with lsblk and /sys readable"
				}
				drives = append(drives, *b)
			}
			return drives, "", ""
		}
	}
	return l.drives()
}

// isVirtual reports whether the host is known to run under a hypervisor.
func isVirtual(f *assay.Facts) bool { return f.CPU.Virtual != nil && *f.CPU.Virtual }

// whyMissing returns the inventory's reason for a missing fact, or otherwise if
// it has none.
func whyMissing(f *assay.Facts, otherwise string, words ...string) string {
next:
	for _, m := range f.Missing {
		for _, w := range words {
			if !strings.Contains(strings.ToLower(m.Fact), strings.ToLower(w)) {
				continue next
			}
		}
		if m.Hint == "" {
			return m.Why
		}
		return fmt.Sprintf("%s; %s", m.Why, m.Hint)
	}
	return otherwise
}
