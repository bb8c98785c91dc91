package audit

import (
	"fmt"
	"slices"
	"strings"

	"assay"
)

var hypervisorCache = Rule{
	ID: "hypervisor-cache", Number: 64, Applies: "storage in a virtual machine", Severities: "E W",
	Title:   "The hypervisor's page cache lies under the disk",
	Formula: "the virtual disk has cache=unsafe and each write was flushed E; it has cache=writeback or unsafe, or it was read and has cache=writethrough W",
	Source:  "QEMU's manual, -drive cache: only none and directsync bypass the host's page cache, and unsafe ignores flushes",
	Example: "scsi0: cache=writeback",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.storage() {
			if l.facts.Guest != nil && len(l.facts.Guest.Disks) > 0 {
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
	arithmetic := fmt.Sprintf("%s: cache=%s", d.Name, d.Cache)
	advice := "set cache=none on the disk, stop and start the VM, and measure again"
	reads := slices.Contains(l.directions(), "read")
	sync, fsync := l.flushesEach()
	switch {
	case d.Cache == "unsafe" && (sync || fsync) && l.positive("storage.write.iops"):
		return []assay.Finding{l.finding(id, assay.Rejects, l.headlines(), arithmetic,
			"the hypervisor ignores flushes: these writes are in its memory, and lost when it fails", advice)}
	case d.Cache == "unsafe", d.Cache == "writeback", d.Cache == "writethrough" && reads:
		message := "the hypervisor's memory takes writes before the drive does: part of this is its page cache"
		if reads {
			message = "the hypervisor's memory may answer these reads: part of this is its page cache"
		}
		return []assay.Finding{l.finding(id, assay.Warns, l.headlines(), arithmetic, message, advice)}
	}
	return nil
}

// guestDisk returns the virtual disk that was measured: the one with its serial number,
// or any where all are cached alike. Where several lie under it, the first decides.
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
