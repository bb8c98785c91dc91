package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
)

var hypervisorCache = Rule{
	ID: "hypervisor-cache", Number: 64, Applies: "storage in a virtual machine", Severities: "E W",
	Title:   "The hypervisor's page cache lies under the disk",
	Formula: "the virtual disk has cache=unsafe and each write was flushed E; it has cache=writeback or unsafe, or it was read and has cache=writethrough W. Where the device under it was watched on the hypervisor, W from 5 % on, whatever its cache: share = 1 - bytes at that device / bytes that the tool moved, median over the repeats. Else the cache's share of reads is 1 - (IOPS with cache=none on the same storage) / IOPS",
	Source:  "QEMU's manual, -drive cache: only none and directsync bypass the host's page cache, and unsafe ignores flushes",
	Example: "scsi0: cache=writeback; 92.0 MB at sdb of pve1 against 320 MB that the tool read: 71.3 % from memory",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.storage() {
			switch lent := l.Scratch.Disk; {
			case lent != nil:
				found = append(found, l.cachedAs(*lent, e.pastTheCache(l))...)
			case l.facts.Guest != nil && len(l.facts.Guest.Disks) > 0:
				found = append(found, l.cachedBeneath(*l.facts.Guest)...)
			}
		}
		return found
	},
}

func (l look) cachedBeneath(g assay.GuestFacts) []assay.Finding {
	const id = "hypervisor-cache"
	d, known := l.guestDisk(g.Disks)
	if !known {
		return []assay.Finding{l.unchecked(id, l.headlines(), "which of "+g.Hypervisor+"'s virtual disks this is",
			"their cache modes differ: give each a serial number in the VM's configuration")}
	}
	return l.cachedAs(d, nil)
}

// fewAbove is the share of bytes that may miss the hypervisor's device without a
// finding.
const fewAbove = .05

// above is how much of a tool's bytes never reached the device under a virtual disk, in
// the repeat with the median share.
type above struct{ share, tool, device float64 }

// stayedAbove compares what the tool moved in one direction with what the hypervisor's
// device moved; seen is false if most repeats did not record that.
func (l look) stayedAbove(d assay.GuestDisk, dir string) (a above, seen bool) {
	if l.facts.Guest == nil || d.Device == "" {
		return above{}, false
	}
	var shares, tool, device []float64
	for _, rep := range l.reps {
		bytes, claimed := value(rep, "storage."+dir+".bytes")
		counts, counted := rep.Watches[l.facts.Guest.Hypervisor].Device(d.Device)
		moved := float64(counts.ReadBytes)
		if dir == "write" {
			moved = float64(counts.WriteBytes)
		}
		if claimed && counted && bytes > 0 && moved >= 0 {
			shares, tool, device = append(shares, max(0, 1-moved/bytes)), append(tool, bytes), append(device, moved)
		}
	}
	if !mostly(len(shares), len(l.reps)) {
		return above{}, false
	}
	i := middle(shares, true)
	return above{shares[i], tool[i], device[i]}, true
}

// seenAbove judges a result whose bytes the hypervisor counted too.
func (l look) seenAbove(d assay.GuestDisk, dir string, a above) []assay.Finding {
	if a.share < fewAbove {
		return nil
	}
	host := l.facts.Guest.Hypervisor
	arithmetic := fmt.Sprintf("%s: cache=%s; %s at %s of %s against %s that the tool %s: %s", d.Name, d.Cache, volume(a.device), d.Device, host, volume(a.tool), did[dir], percent(a.share))
	advice := "set cache=none on the disk, stop and start the VM, and measure again"
	if d.Cache == "none" || d.Cache == "directsync" {
		advice = "look for another cache there: ZFS, a RAID controller, a file system on a loop device"
	}
	if dir == "write" {
		return []assay.Finding{l.finding("hypervisor-cache", assay.Warns, l.figuresOf(dir), arithmetic+" still in memory",
			host+"'s memory still held "+percent(a.share)+" of these writes when the measurement ended", advice)}
	}
	return []assay.Finding{l.finding("hypervisor-cache", assay.Warns, l.figuresOf(dir), arithmetic+" from memory",
		host+"'s memory answered "+percent(a.share)+" of these reads, not the drive", advice)}
}

// cachedAs judges a result on a virtual disk. past is the same test on an uncached
// virtual disk of the same storage; nil if that was not measured.
func (l look) cachedAs(d assay.GuestDisk, past *look) []assay.Finding {
	const id = "hypervisor-cache"
	arithmetic := fmt.Sprintf("%s: cache=%s", d.Name, d.Cache)
	advice := "set cache=none on the disk, stop and start the VM, and measure again"
	reads := slices.Contains(l.directions(), "read")
	if d.Cache == "unsafe" && l.durable() && l.positive("storage.write.iops") {
		return []assay.Finding{l.finding(id, assay.Rejects, l.headlines(), arithmetic,
			"the hypervisor ignores flushes: these writes are in its memory, and lost when it fails", advice)}
	}
	if found, seen := l.countedBeneath(d); seen {
		return found
	}
	if d.Cache != "unsafe" && d.Cache != "writeback" && (d.Cache != "writethrough" || !reads) {
		return nil
	}
	message := "the hypervisor's memory takes writes before the drive does: part of this is its page cache"
	if reads {
		message = "the hypervisor's memory may answer these reads: part of this is its page cache"
	}
	if sum, share, faster := l.fasterThan(past, reads); faster {
		arithmetic += "; " + sum
		message = "faster than its storage: the hypervisor's memory took these writes"
		if reads {
			message = "faster than its storage: the hypervisor's memory answered about " + percent(share) + " of these reads"
		}
	}
	return []assay.Finding{l.finding(id, assay.Warns, l.headlines(), arithmetic, message, advice)}
}

// countedBeneath judges each direction of a result by the hypervisor's counts; seen is
// false if any direction lacks them.
func (l look) countedBeneath(d assay.GuestDisk) (found []assay.Finding, seen bool) {
	for _, dir := range l.directions() {
		a, counted := l.stayedAbove(d, dir)
		if !counted {
			return nil, false
		}
		found = append(found, l.seenAbove(d, dir, a)...)
	}
	return found, len(l.directions()) > 0
}

// pastTheCache returns the same case on an uncached virtual disk of the same storage; nil
// if there is none.
func (e Evidence) pastTheCache(l look) *look {
	d := l.Scratch.Disk
	for _, o := range e.storage() {
		past := o.Scratch.Disk
		if past == nil || past.Storage == "" || past.Storage != d.Storage || past.Cache != "none" && past.Cache != "directsync" {
			continue
		}
		if o.Trial.Subject.Host == l.Trial.Subject.Host && o.Trial.Probe == l.Trial.Probe && o.Trial.Case == l.Trial.Case && maps.Equal(o.Trial.Settings, l.Trial.Settings) {
			return &o
		}
	}
	return nil
}

// fasterThan compares a result with the same test past the cache. The storage itself
// gave only that much; share is the part above it.
func (l look) fasterThan(past *look, reads bool) (sum string, share float64, faster bool) {
	if past == nil {
		return "", 0, false
	}
	metric := "storage.write.iops"
	if reads {
		metric = "storage.read.iops"
	}
	cached, ok := l.median(metric)
	direct, is := past.median(metric)
	if !ok || !is || !(direct > 0) || !(cached > pastTheCache*direct) {
		return "", 0, false
	}
	sum = fmt.Sprintf("%s IOPS against %s with cache=%s on storage %s", grouped(cached, 0), grouped(direct, 0), past.Scratch.Disk.Cache, past.Scratch.Disk.Storage)
	return sum, 1 - direct/cached, true
}

// guestDisk returns the measured virtual disk: the one whose serial number matches, or
// any if all have the same cache mode. If several lie under it, the first decides.
func (l look) guestDisk(disks []assay.GuestDisk) (d assay.GuestDisk, known bool) {
	drives, _, _ := l.drives()
	for _, drive := range drives {
		i := slices.IndexFunc(disks, func(d assay.GuestDisk) bool {
			return d.Serial != "" && strings.EqualFold(d.Serial, drive.Serial)
		})
		if i >= 0 {
			return disks[i], true
		}
	}
	alike := !slices.ContainsFunc(disks, func(d assay.GuestDisk) bool { return d.Cache != disks[0].Cache })
	return disks[0], alike
}
