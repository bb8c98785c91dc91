package blame

import (
	"fmt"
	"slices"
	"strings"

	"assay/incident"
)

// zfsErrors weighs errors by the number of affected disks on a host.
var zfsErrors = Rule{ID: "zfs-errors", Title: "Errors of a ZFS pool", Check: func(c Case) []Cause {
	var hosts []string
	for _, e := range c.of(zfsKinds...) {
		if e.Host != "" && !slices.Contains(hosts, e.Host) {
			hosts = append(hosts, e.Host)
		}
	}
	if len(hosts) < 2 {
		return c.poolErrors()
	}
	var found []Cause
	for _, host := range hosts { // disks of two machines share nothing
		own := c
		own.Events = slices.DeleteFunc(slices.Clone(c.Events), func(e incident.Event) bool { return !sameHost(e.Host, host) })
		found = append(found, own.poolErrors()...)
	}
	return found
}}

var zfsKinds = []incident.Kind{incident.ZFSIO, incident.ZFSChecksum, incident.ZFSFaulted, incident.ZFSSuspended}

// poolErrors weighs the errors of one host's pools.
func (c *Case) poolErrors() []Cause {
	events := c.of(zfsKinds...)
	if len(events) == 0 {
		return nil
	}
	sums, io := devices(c.of(incident.ZFSChecksum)), devices(c.of(incident.ZFSIO, incident.ZFSFaulted))
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(6, events), explains: []incident.Kind{incident.ZFSIO, incident.ZFSChecksum, incident.ZFSFaulted, incident.ZFSSuspended, incident.HungTask, incident.AppIO, incident.KernelPanic}}
	as := func(layer incident.Layer, says, why, what, command string) Cause {
		x := base
		x.Layer, x.Says, x.Why, x.Next = layer, says, why, []Step{{what, command}}
		return x
	}
	link := as(incident.Link, "cable or backplane of the disk", "Reads and writes that fail without an unreadable sector are lost on the way.", "check whether the CRC count grows", "smartctl -A /dev/DEVICE | grep -i crc")
	drive := as(incident.Drive, "the disk", "Errors on one disk of a pool come from the disk or its cable.", "read its SMART report; clear the errors and scrub: if they come back on it in another bay, it is the disk", "smartctl -x /dev/DEVICE; zpool clear POOL; zpool scrub POOL")
	switch {
	case len(sums) >= 2 && len(io) == 0 && sameCount(c.of(incident.ZFSChecksum)) && c.only(base.explains):
		mem := as(incident.Memory, "memory, or data that were wrong before they were written", fmt.Sprintf("%d disks have the same number of checksum errors: the same blocks are wrong on each. They were damaged before they were written, or after they were read.", len(sums)),
			"test the memory, above all without ECC, then scrub again", "memtester 1G 3; zpool scrub POOL; zpool status -v")
		mem.How = Likely
		return []Cause{mem, as(incident.Controller, "what the disks share: controller, backplane or cable", "What is damaged on the way to disks seldom is the same for each.", "look for resets and link errors of the controller", "dmesg | grep -iE 'ata[0-9]|mpt|reset'")}
	case len(sums) >= 2:
		why := fmt.Sprintf("Checksum errors on %d disks (%s) that share controller, cable, power and memory.", len(sums), strings.Join(sums[:min(len(sums), 6)], ", "))
		return []Cause{as(incident.Controller, "what the disks share: controller, backplane or cable", why, "look for resets and link errors of the controller", "dmesg | grep -iE 'ata[0-9]|mpt|reset'"),
			as(incident.Memory, "the memory", why, "test the memory, above all without ECC", "memtester 1G 3")}
	case len(io) >= 3:
		return []Cause{as(incident.Controller, fmt.Sprintf("what %d disks share: controller, backplane or power", len(io)), "Disks do not fail together by themselves.", "look for resets of the controller before the first error", "dmesg | grep -iE 'ata[0-9]|mpt|reset'")}
	case !hasKind(events, incident.ZFSIO) && !hasKind(events, incident.ZFSChecksum) && len(io) == 0:
		return []Cause{as(incident.Link, "the way to the pool's disks", "The pool lost its disks and waits.", "check which disks are gone", "zpool status -v; "+treeCommand), drive}
	}
	if len(io) == 0 && len(sums) > 0 && c.has(incident.KernelPanic) && !c.has(incident.ZFSIO) && !c.has(atLinks...) {
		mem := as(incident.Memory, "memory or CPU: data were damaged, and the kernel panicked", "Blocks have wrong checksums although the disk answered without an error, and the kernel crashed as well. A disk does not make a kernel crash in an interrupt; memory that flips bits, or a CPU that computes wrongly, does both.",
			"test the memory, without overclocking", "memtester 1G 3   # memtest86+ from the boot menu tests all of it")
		mem.How = Likely
		return []Cause{mem, drive, link}
	}
	if renamed(c.of(incident.ZFSFaulted)) && !c.has(incident.ZFSIO) {
		name := as(incident.Operator, "a disk whose device name changed", "The pool lacks a disk under its old name, but counted no failed reads or writes on it: names like sdd change when disks are added or an upgrade reorders them.",
			"check whether the disk is there, and import the pool by names that do not change", "lsblk -o NAME,SERIAL,FSTYPE,LABEL; zpool export POOL; zpool import -d /dev/disk/by-id POOL")
		if says(c.of(incident.ZFSFaulted), "FAULTED") { // a missing disk is UNAVAIL
			name.How = Likely
			name.Why += " It calls the disk FAULTED and not UNAVAIL: there is a device of that name, which bears no label of the pool."
		}
		return []Cause{name, link, drive}
	}
	if len(io) == 1 && len(sums) <= 1 && says(events, "too many errors") && says(events, "FAULTED") && !c.has(atLinks...) && c.onlyOn(base.Host, with(base.explains, incident.IOError, incident.SMARTClean)) && !c.hasOn(base.Host, incident.IsGuest) {
		drive.How = Likely
		drive.Why = "ZFS gave up one disk of the pool for its errors; the others had none. No line speaks of its link: no reset, timeout or damaged transfer."
	}
	return []Cause{link, drive}
}

// sameCount reports whether disks have the same number of checksum errors.
func sameCount(sums []incident.Event) bool {
	counted := slices.DeleteFunc(slices.Clone(sums), func(e incident.Event) bool { return e.Device == "" }) // such a line only says there are some
	return len(counted) > 0 && !slices.ContainsFunc(counted, func(e incident.Event) bool { return e.Value != counted[0].Value || e.Value == 0 })
}

// renamed reports whether a pool lacks a disk it knew by kernel name.
func renamed(faulted []incident.Event) bool {
	return says(faulted, "was /dev/sd") || says(faulted, "corrupted data")
}
