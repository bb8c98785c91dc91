package blame

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/incident"
	"assay/internal/lazyregexp"
)

// fileSystem finds file systems that complain while nothing below them does.
var fileSystem = Rule{ID: "file-system", Title: "A file system is damaged, and nothing below it complains", Check: func(c Case) []Cause {
	corrupt := c.of(incident.FSCorrupt, incident.FSChecksum)
	errs, check := c.of(incident.FSError, incident.FSAbort, incident.FSReadOnly, incident.FSDevErrs), c.of(incident.FSCheck, incident.DeviceShort)
	if len(corrupt)+len(errs)+len(check) == 0 {
		return nil
	}
	events := slices.Concat(corrupt, errs, check)
	base := Cause{Host: events[0].Host, Device: firstDevice(events), How: Possible, Evidence: quote(5, corrupt, errs, check),
		explains: []incident.Kind{incident.FSError, incident.FSAbort, incident.FSReadOnly, incident.FSCorrupt, incident.FSChecksum, incident.FSDevErrs, incident.FSCheck, incident.DeviceShort, incident.AppIO, incident.AppReadOnly, incident.PodCrash, incident.MountFailed, incident.BootMount, incident.KernelPanic}}
	fs := base
	fs.Layer, fs.Says = incident.FileSystem, "damage within the file system"
	fs.Why = "The file system found its own structures inconsistent, and no device reported an error. A crash, a power cut or a bug left it so."
	fs.Next = []Step{{"unmount and check it, reading only at first", "e2fsck -fn DEVICE   (xfs_repair -n DEVICE, btrfs check --readonly DEVICE)"}}
	mem := base
	mem.Layer, mem.Says = incident.Memory, "memory that flips bits"
	mem.Why = "Checksums that fail although the devices report no error point at memory, or at data that was damaged on the way."
	mem.Next = []Step{{"test the memory; look for corrected errors", "memtester 1G 3; ras-mc-ctl --summary"}}
	if short := c.of(incident.DeviceShort); len(short) > 0 {
		fs.Says, fs.Why, fs.Evidence = "a device that is shorter than what was made on it", "The file system or volume was made for a larger device: what is under it was shrunk first, or copied only in part.", quote(4, short, errs)
		fs.Layer = incident.Operator
		fs.Next = []Step{{"compare the two, and make the device as long as it was before anything is written", "lsblk -b " + path(base.Device) + "; dumpe2fs -h DEVICE | grep -E 'Block (count|size)'"}}
		if c.only(base.explains) {
			fs.How = VeryLikely
		}
		return []Cause{fs}
	}
	if len(corrupt) == 0 && len(errs) == 0 {
		fs.Why = "Its check found the file system's structures inconsistent, and no device reported an error. A crash, a power cut or a shutdown that did not unmount it left it so."
		if slices.ContainsFunc(check, onWholeDisk) {
			lent := base
			lent.Layer, lent.Says = incident.Engine, "the volume under the file system, if it is one that another machine or process answers for"
			lent.Why = "The file system is on a whole disk, without a partition, as CSI drivers make volumes. One whose copies differ or that went away in the middle of a write leaves it damaged."
			lent.Next = []Step{{"check whether the disk is a volume (TRAN iscsi), then the state of its copies", treeCommand}}
			return []Cause{fs, lent}
		}
		if c.only(base.explains) && !says(check, "not properly") && !says(check, "not cleanly") { // an unplugged stick logs this every day
			fs.How = VeryLikely
		}
		return []Cause{fs}
	}
	if unwritten := slices.Concat(corrupt, errs); says(unwritten, "write time tree block corruption detected") {
		if says(corrupt, "csum end range") {
			fs.How, fs.Says = Likely, "btrfs, whose tree of checksums has items that overlap"
			fs.Why = "btrfs checks blocks before it writes them, and found two items for checksums of the same blocks. A bug of a kernel or of another driver wrote them so; a flipped bit seldom does."
			fs.Next = []Step{{"check it, reading only, and have btrfs recompute its checksums once the data are copied", "btrfs check --readonly DEVICE"}}
			return []Cause{fs, mem}
		}
		mem.How = Likely
		mem.Says = "memory: a block was damaged before it was written"
		mem.Why = "btrfs checks blocks before it writes them, and found one damaged that had not reached a disk: that points to bad memory, rarely to a bug."
		return []Cause{mem, fs}
	}
	if slices.ContainsFunc(slices.Concat(corrupt, errs), func(e incident.Event) bool { return strayBit(e.Text) }) {
		mem.How = VeryLikely
		mem.Says = "memory that flips bits: an address differs in a high bit"
		mem.Why = "btrfs looked for a logical address that is far beyond any device: a single high bit is set in it, and without that bit it is one of a common size. It was flipped in memory before the block got its checksum."
		return []Cause{mem}
	}
	if len(corrupt) == 0 && readsFailed(errs) {
		return c.below(base)
	}
	if slices.ContainsFunc(corrupt, strictness) {
		fs.How, fs.Says = Likely, "btrfs, whose newer kernel refuses what an older one wrote"
		fs.Why = "The value that the kernel refuses is one of btrfs's own reserved numbers, which no flipped bit makes: an older kernel wrote it and accepted it, and the check became stricter since. Its checksum is right."
		fs.Next = []Step{{"mount it with the kernel that wrote it, and have a newer btrfs check repair it or copy the data away", "uname -r; btrfs check --readonly DEVICE"}}
		return []Cause{fs, mem}
	}
	if says(corrupt, "bad key order") {
		mem.How, mem.Says = Likely, "memory: keys of a tree are out of order"
		mem.Why = "btrfs keeps the keys of a block in order, and the block's checksum is right: one was changed in memory before it was written. That points to bad memory, rarely to a bug."
		return []Cause{mem, fs}
	}
	if len(corrupt) == 0 && c.cardFails(errs) {
		card := base
		card.Layer, card.How, card.Says = incident.Drive, Likely, "an SD card or eMMC that fails writes"
		card.Why = "The file system aborted its journal, as it does when a write fails, and the card reader reports no timeouts, clock errors or undervoltage. Cards wear out."
		card.Next = []Step{{"try to write to it, and to another card in this reader", "dmesg | grep -iE 'mmc|I/O error'; mmc extcsd read /dev/mmcblk0 | grep -i life"}}
		return []Cause{card, fs}
	}
	if len(corrupt) == 0 {
		if says(check, ": error count since last fsck: ") && c.only(base.explains) {
			fs.How = VeryLikely
			fs.Why = "The file system keeps count of errors that it met since it was last checked, over boots: what it finds wrong is on the disk, and stays until it is repaired. No device reported an error."
		}
		if leftBehind(errs) && c.only(base.explains) {
			fs.How = VeryLikely
			fs.Why = "The file system found its own structures inconsistent within the first minute after boot, and no device reported an error: the last shutdown or crash left it so."
		}
		if fs.How == Possible && c.byItself(errs, base.explains) {
			fs.How = Likely
		}
		return []Cause{fs}
	}
	if slices.ContainsFunc(corrupt, func(e incident.Event) bool { return oneBitOfGeneration(e.Text) }) && oneBit(corrupt) {
		mem.How = VeryLikely
		mem.Says = "memory that flips bits: a generation differs in one bit"
		mem.Why = "btrfs counts generations one by one. The one that it wanted and the one that it found differ in a single high bit, so they are over a million apart: a bit was flipped in memory before the block got its checksum. A write that was lost makes them differ by a few."
		return []Cause{mem}
	}
	if oneBit(corrupt) {
		mem.How = VeryLikely
		mem.Says = "memory that flips bits: a checksum differs in one bit"
		mem.Why = "The stored checksum and the computed one differ in a single bit. Damaged data changes about half of a checksum's bits, so the checksum itself was damaged, and it was in memory then: on the disk it has a checksum of its own."
		return []Cause{mem}
	}
	if slices.ContainsFunc(corrupt, lostWrite) && !hasKind(corrupt, incident.FSChecksum) && c.onlyOn(base.Host, base.explains) {
		fs.How = Likely
		fs.Says = "btrfs, which lost writes or got them from two systems"
		fs.Why = "A block has a different generation from the one that points to it, and its own checksum is right: bad memory does not look like that. Writes were lost, as in a crash on a drive that acknowledges writes too early, or the file system was written by two systems at once, as after a resume from hibernation."
		lost := base
		lost.Layer, lost.Says, lost.Why = incident.Drive, "a drive that lost writes", "A drive that reorders writes across a flush loses some of them when the power fails."
		lost.Next = []Step{{"check whether its cache is on, and its firmware known for that", "smartctl -i -g wcache " + path(incident.Whole(base.Device))}}
		return []Cause{fs, lost}
	}
	if readsFailed(besideCorruption(slices.Concat(corrupt, errs))) && !hasKind(corrupt, incident.FSChecksum) {
		return append(c.below(base), fs)
	}
	if hasKind(corrupt, incident.FSChecksum) {
		drive := base
		drive.Layer, drive.Says, drive.Why = incident.Drive, "a drive that returns wrong data", "Few drives do, but a checksum can't tell."
		drive.Next = []Step{{"check whether errors stay on one device", "btrfs device stats MOUNTPOINT"}}
		return []Cause{mem, drive}
	}
	if c.byItself(slices.Concat(corrupt, errs), base.explains) {
		fs.How = Likely
	}
	return []Cause{fs, mem}
}}

// firstDevice returns the first device that an event names: journals say what is wrong with
// them, but not on which device.
func firstDevice(events []incident.Event) string {
	for _, e := range events {
		if e.Device != "" {
			return e.Device
		}
	}
	return ""
}

// cardFails reports whether the journal of a file system on a card was aborted, and
// nothing else is wrong.
func (c *Case) cardFails(errs []incident.Event) bool {
	return firstDevice(errs) != "" && !slices.ContainsFunc(errs, func(e incident.Event) bool {
		return e.Device != "" && c.Stack.Find(e.Host, e.Device).Transport != incident.MMC
	}) &&
		says(errs, "aborted journal") && c.only([]incident.Kind{incident.FSError, incident.FSAbort, incident.FSReadOnly, incident.FSCheck, incident.AppIO, incident.AppReadOnly})
}

// structures are the words of a file system that finds its own structures
// damaged.
var structures = []string{
	"inconsistent", "corrupt", "bad header", "bad extra_isize", "invalid extent", "deleted inode referenced", "bogus i_mode", "bad block bitmap", "bad inode bitmap", "already freed block", "bad entry in directory",
	"directory missing", "checksumming directory block", "checksum invalid", "group descriptors", "ext4_check_descriptors", "error 117", "journal superblock", "recovery failed", "error loading journal", "Structure needs cleaning",
	"Internal error", "XFS_WANT_CORRUPTED", "xfs_repair", "log tail", "totally zeroed log", "error -117", "bad clientid", "FAT-fs", "exFAT-fs", "F2FS-fs", "ntfs3", "MFTMirr", "consistency error", "bcachefs", "beyond end of device", ", want=",
	"XFS internal error", "REISERFS error", "UBIFS error", "OCFS2", "on-disk corruption", "Corruption of in-memory data", "ERROR: (device ", "freeing free block", "mangled entry", "system zone", "rec_len", "invalid inode", "indirect mapped block",
}

// byItself reports whether a file system finds its own structures damaged, with no
// reason in its device or anything it may be stacked on. Failed checksums may be of data
// damaged below it, btrfs reports flipped bits in its own way, and nothing here tells SD
// cards and volumes served by others from drives.
func (c *Case) byItself(events []incident.Event, known []incident.Kind) bool {
	if readsFailed(besideCorruption(events)) || c.has(incident.PodCrash, incident.MountFailed) || c.longhorn() {
		return false
	}
	own := false
	for _, e := range events {
		d := c.Stack.Find(e.Host, e.Device)
		wholeDisk := onWholeDisk(e) && !strings.Contains(e.Text, "bcachefs")
		if d.Transport.Remote() || d.Transport == incident.MMC || (d.Transport == incident.Virtual || c.hasOn(e.Host, incident.IsGuest)) && !strings.Contains(e.Text, "descriptor inconsistent") || wholeDisk || strings.HasPrefix(e.Device, "nbd") {
			return false
		}
		if strings.Contains(e.Text, "BTRFS") || strings.Contains(e.Text, "CRC") || strings.Contains(e.Text, "SQUASHFS") {
			return false
		}
		own = own || slices.ContainsFunc(structures, func(words string) bool { return containsFold(e.Text, strings.ToLower(words)) })
	}
	return own && c.only(known)
}

// onWholeDisk reports whether a file system is on a whole disk, as CSI drivers create
// volumes.
func onWholeDisk(e incident.Event) bool {
	return strings.HasPrefix(e.Device, "sd") && incident.Whole(e.Device) == e.Device
}

// besideCorruption drops a file system's shutdown if it found itself damaged: XFS logs the
// same words whether a read failed or the data read is wrong.
func besideCorruption(events []incident.Event) []incident.Event {
	damaged := hasKind(events, incident.FSCorrupt)
	return slices.DeleteFunc(slices.Clone(events), func(e incident.Event) bool { return damaged && e.Kind == incident.FSAbort })
}

// readsFailed reports whether a file system complains that its reads or writes fail, not
// about what it reads.
func readsFailed(errs []incident.Event) bool {
	for _, e := range errs {
		if e.Kind == incident.FSDevErrs && devErrs.MatchString(e.Text) {
			return true
		}
		if slices.ContainsFunc([]string{"error 117", "error -117", "error 74", "error -74"}, func(code string) bool { return strings.Contains(e.Text, code) }) {
			continue // it was read, but found wrong
		}
		for _, words := range []string{"reading directory", "unable to read", "Cannot read", "IO failure", "errno=-5", "error -5", " error 5", "I/O error", "I/O Error", "async write back metadata", "data read error", "data write error"} {
			if strings.Contains(e.Text, words) {
				return true
			}
		}
	}
	return false
}

// devErrs matches failed reads and writes of a device, as btrfs counts them.
var devErrs = lazyregexp.New(`errs: (?:wr [1-9]|wr 0, rd [1-9])`)

// below returns the causes under a file system that can't read or write its device, if
// the device reports nothing.
func (c *Case) below(base Cause) []Cause {
	as := func(layer incident.Layer, says, why, what, command string) Cause {
		x := base
		x.Layer, x.Says, x.Why, x.Next = layer, says, why, []Step{{what, command}}
		return x
	}
	const failed = "The file system's reads or writes failed. "
	drive := as(incident.Drive, "the drive under the file system", failed+"These texts have no line of the device that failed them.", "look for the first error of the device", "journalctl -k | grep -m5 -iE 'I/O error|timeout|reset|offline'; smartctl -x "+path(incident.Whole(base.Device)))
	switch t := c.Stack.Find(base.Host, base.Device).Transport; {
	case t == incident.Virtual || c.hasOn(base.Host, incident.IsGuest):
		return c.alone(as(incident.Hypervisor, "the hypervisor's storage under the guest's file system", failed+"The disk is provided by a hypervisor.", "on the hypervisor: see its log for the same minute", "journalctl -k --since '1 hour ago'"))
	case t == incident.MMC:
		return c.alone(as(incident.Drive, "the SD card or eMMC under the file system", failed+"Its reader reports no timeouts and no clock errors. Cards wear out.", "try to read all of it, and another card in this reader", "dd if="+path(incident.Whole(base.Device))+" of=/dev/null bs=1M; dmesg | grep -i mmc"))
	case t == incident.Mapped, t == incident.Loop:
		return []Cause{as(incident.Volumes, "the mapped device under the file system", failed+"The device is stacked on others.", "check what lies beneath it", "lsblk -s "+path(base.Device)+"; dmsetup ls --tree"), drive}
	case t == incident.ISCSI, t == incident.NVMeOF, t == incident.FC:
		return c.alone(as(incident.Session, "the session to the remote disk under the file system", failed+"Another machine answers for the disk.", "check whether the session is up", "iscsiadm -m session; nvme list-subsys"))
	case t == incident.DRBD, t == incident.RBD, strings.HasPrefix(base.Device, "nbd"):
		return c.alone(as(incident.Engine, "the replicated volume under the file system", failed+"An engine answers for the disk.", "check the state of the volume", "drbdadm status; ceph health detail"))
	}
	if c.severalWholeDisks(base.Host) {
		return shared(base)
	}
	return []Cause{drive, as(incident.Link, "the cable, port or power of the disk", failed+"A disk that is cut off fails them as well.", "check whether the disk is still there", treeCommand)}
}

// severalWholeDisks reports whether file systems on several whole disks of a host failed.
func (c *Case) severalWholeDisks(host string) bool {
	failed := slices.DeleteFunc(c.of(incident.FSError, incident.FSAbort, incident.FSReadOnly), func(e incident.Event) bool { return e.Host != host || !onWholeDisk(e) })
	return len(devices(failed)) > 1
}

// shared returns what may be to blame where file systems on several whole disks fail
// together: single drives do not.
func shared(base Cause) []Cause {
	base.Device = ""
	lent, link := base, base
	lent.Layer, lent.Says = incident.Engine, "volumes that another machine or process answers for (Longhorn, iSCSI)"
	lent.Why = "File systems on several whole disks failed, without partitions, as CSI drivers make volumes. Their engines or targets were stopped, restarted or cut off."
	lent.Next = []Step{{"check whether these disks are volumes (TRAN iscsi), then their engines and nodes", treeCommand}}
	link.Layer, link.Says = incident.Link, "what these disks share: adapter, cable, backplane or power"
	link.Why = "Several disks failed together. Independent drives do not fail at the same moment."
	link.Next = []Step{{"read the lines just before the first error", "journalctl -k | grep -m1 -B30 'I/O error'"}}
	return []Cause{lent, link}
}

// alone returns the only layer under a device whose reads or writes fail; it is likely
// to blame if nothing else went wrong.
func (c *Case) alone(cause Cause) []Cause {
	if c.onlyOn(cause.Host, cause.explains) {
		cause.How = Likely
	}
	return []Cause{cause}
}

// leftBehind reports whether a file system found its own structures inconsistent just
// after boot, before anything could fail.
func leftBehind(errs []incident.Event) bool {
	const boot = time.Minute
	own := false
	for _, e := range errs {
		if e.First.Up <= 0 || e.First.Up > boot {
			return false
		}
		text := strings.ToLower(e.Text)
		own = own || e.Kind == incident.FSError && (strings.Contains(text, "inconsistent") || strings.Contains(text, "bad block bitmap checksum") || strings.Contains(text, "bad inode bitmap"))
	}
	return own
}

// only reports whether nothing but these kinds went wrong.
func (c *Case) only(kinds []incident.Kind) bool {
	return !slices.ContainsFunc(c.Events, func(e incident.Event) bool {
		return !slices.Contains(kinds, e.Kind) && !slices.Contains(harmless, e.Kind) && !slices.Contains(usual, e.Kind)
	})
}

// onlyOn is only for one host.
func (c *Case) onlyOn(host string, kinds []incident.Kind) bool {
	own := Case{incident.Log{Events: slices.DeleteFunc(slices.Clone(c.Events), func(e incident.Event) bool { return e.Host != host })}}
	return own.only(kinds)
}

// usual are kinds that many healthy machines log all the time.
var usual = []incident.Kind{incident.PCIeNarrow, incident.NICNoLink, incident.SuddenStop, incident.UPSSilent, incident.VGSkipped, incident.CrashOnCPU, incident.NICNoSpeed, incident.VirtualNoise, incident.Segfault, incident.Refused, incident.AppNoMemory, incident.ClockFree, incident.KernelBug, incident.KernelPanic, incident.BootMount}

var csumForm = lazyregexp.New(`csum 0x([0-9a-f]{8}) expected csum 0x([0-9a-f]{8})\b`)

// oneBit reports whether each stored checksum differs from that of its data in one bit.
func oneBit(corrupt []incident.Event) bool {
	seen := false
	for _, e := range corrupt {
		if oneBitOfGeneration(e.Text) {
			seen = true
			continue
		}
		m := csumForm.FindStringSubmatch(e.Text)
		if m == nil {
			continue
		}
		is, err := strconv.ParseUint(m[1], 16, 32)
		want, err2 := strconv.ParseUint(m[2], 16, 32)
		if err != nil || err2 != nil || bits.OnesCount64(is^want) != 1 {
			return false
		}
		seen = true
	}
	return seen
}

// lostWrite reports whether a btrfs block's generation is near the wanted one: newer, or
// older and different in more than one bit.
func lostWrite(e incident.Event) bool {
	m := transidForm.FindStringSubmatch(e.Text)
	if m == nil {
		return false
	}
	wanted, err := strconv.ParseInt(m[1], 10, 64)
	found, err2 := strconv.ParseInt(m[2], 10, 64)
	const near = 1 << 20
	if err != nil || err2 != nil || found-wanted > near || wanted-found > near {
		return false
	}
	return found > wanted || bits.OnesCount64(uint64(wanted)^uint64(found)) > 1
}

var transidForm = lazyregexp.New(`parent transid verify failed .*wanted (\d+) found (\d+)\b`)

// oneBitOfGeneration reports whether a btrfs block's generation differs from the
// expected one in one bit, too high a bit for a lost write.
func oneBitOfGeneration(text string) bool {
	const high = 1 << 20
	m := transidForm.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	wanted, err := strconv.ParseUint(m[1], 10, 64)
	found, err2 := strconv.ParseUint(m[2], 10, 64)
	bit := wanted ^ found
	return err == nil && err2 == nil && bit >= high && bits.OnesCount64(bit) == 1
}

// strictness reports whether the btrfs tree checker rejects a value for being one of its
// reserved object numbers, which count down from the highest.
func strictness(e incident.Event) bool {
	m := refusedForm.FindStringSubmatch(e.Text)
	if m == nil {
		return false
	}
	v, err := strconv.ParseUint(m[1], 10, 64)
	const reserved = 256
	return err == nil && v > math.MaxUint64-reserved
}

var refusedForm = lazyregexp.New(`corrupt leaf.* invalid .*value (\d{20})\b`)

var chunkForm = lazyregexp.New(`unable to find (?:chunk map for logical|logical) (\d+)`)

// strayBit reports whether btrfs looked up a logical address with one bit that no address
// has: addresses grow from zero with all that was ever allocated.
func strayBit(text string) bool {
	const allocated = 1 << 47 // 128 TiB
	m := chunkForm.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	at, err := strconv.ParseUint(m[1], 10, 64)
	return err == nil && at >= allocated && bits.OnesCount64(at&^(allocated-1)) == 1
}
