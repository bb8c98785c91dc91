package guard

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// magic is a signature at a fixed offset. Those of the tail count from the end.
type magic struct {
	name  string
	at    int
	bytes string
}

// The offsets are those of libblkid's probes; see the kernel's headers of each
// file system for what they belong to.
var magics = []magic{
	{"ext", 1080, "\x53\xef"},
	{"xfs", 0, "XFSB"},
	{"btrfs", 65600, "_BHRfS_M"},
	{"f2fs", 1024, "\x10\x20\xf5\xf2"},
	{"erofs", 1024, "\xe2\xe1\xf5\xe0"},
	{"squashfs", 0, "hsqs"},
	{"reiserfs", 65588, "ReIsEr"},
	{"ntfs", 3, "NTFS    "},
	{"exfat", 3, "EXFAT   "},
	{"vfat", 54, "FAT1"},
	{"vfat", 82, "FAT32"},
	{"bitlocker", 3, "-FVE-FS-"},
	{"apfs", 32, "NXSB"},
	{"hfsplus", 1024, "H+"},
	{"iso9660", 32769, "CD001"},
	{"udf", 32769, "BEA01"},
	{"crypto_LUKS", 0, "LUKS\xba\xbe"},
	{"crypto_LUKS", 16384, "SKUL\xba\xbe"},
	{"linux_raid_member", 0, "\xfc\x4e\x2b\xa9"},
	{"linux_raid_member", 4096, "\xfc\x4e\x2b\xa9"},
	{"bcache", 4120, "\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81"},
	{"bcachefs", 4120, "\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef"},
	{"spdk_blobstore", 0, "SPDKBLOB"}, // the engines of Longhorn v2 and Mayastor
	{"ceph_bluestore", 0, "bluestore block device"},
	{"LVM2_member", 24, "LVM2 001"},
	{"LVM2_member", 536, "LVM2 001"},
	{"LVM2_member", 1048, "LVM2 001"},
	{"LVM2_member", 1560, "LVM2 001"},
	{"gpt", 512, "EFI PART"},
	{"gpt", 4096, "EFI PART"},
	{"mac", 512, "PM\x00\x00"},
	{"bsd", 512, "\x57\x45\x56\x82"},
}

// tables are the signatures that mean that a device is partitioned, in blkid's
// words.
var tables = []string{"dos", "gpt", "PMBR", "mac", "sun", "bsd", "sgi", "atari", "ultrix"}

// mark adds a signature to Tables or Signatures.
func (f *Facts) mark(name string) {
	if slices.Contains(tables, name) {
		f.Tables = addOnce(f.Tables, name)
		return
	}
	f.Signatures = addOnce(f.Signatures, name)
}

// Marked adds the signatures at both ends of the device to its facts, without
// needing any tool. tail ends where the device does.
func (f *Facts) Marked(head, tail []byte) {
	for _, m := range magics {
		if m.at < len(head) && bytes.HasPrefix(head[m.at:], []byte(m.bytes)) {
			f.mark(m.name)
		}
	}
	if isTable(head) {
		f.mark("dos")
	}
	// Swap has its signature at the end of its first page, whatever the page
	// size.
	for page := 4096; page <= 65536 && page <= len(head); page *= 2 {
		if end := string(head[page-10 : page]); end == "SWAPSPACE2" || end == "SWAP-SPACE" {
			f.mark("swap")
		}
	}
	if hasUberblock(head) || hasUberblock(tail) {
		f.mark("zfs_member")
	}
	f.markTail(tail)
}

// isTable distinguishes a DOS partition table from the boot sector of a file
// system, which ends with the same two bytes: a table has used entries, and valid
// flags in each.
func isTable(head []byte) bool {
	if len(head) < 512 || head[510] != 0x55 || head[511] != 0xaa {
		return false
	}
	used := false
	for entry := 446; entry < 510; entry += 16 {
		if head[entry]&0x7f != 0 {
			return false
		}
		used = used || head[entry+4] != 0
	}
	return used
}

// hasUberblock looks for ZFS uberblocks: they lie in the second half of each 256
// KiB label, at multiples of 1 KiB (the end of a device need not be one); their
// magic is 0x00bab10c in the machine's byte order.
func hasUberblock(b []byte) bool {
	for at := 0; at+8 <= len(b); at += sectorBytes {
		if binary.LittleEndian.Uint64(b[at:]) == 0x00bab10c || binary.BigEndian.Uint64(b[at:]) == 0x00bab10c {
			return true
		}
	}
	return false
}

// markTail looks for what is stored at the end: the second GPT, md metadata
// 0.90 and 1.0, and DRBD's internal metadata.
func (f *Facts) markTail(tail []byte) {
	n := len(tail)
	for _, sector := range []int{512, 4096} {
		if n >= sector && bytes.HasPrefix(tail[n-sector:], []byte("EFI PART")) {
			f.mark("gpt")
		}
	}
	// md 0.90 begins at a multiple of 64 KiB, 1.0 at one of 4 KiB; a device
	// size that is no such multiple shifts them within their last pages.
	for at := max(0, n-(192<<10)); at+4 <= n; at += 512 {
		if bytes.HasPrefix(tail[at:], []byte("\xfc\x4e\x2b\xa9")) || bytes.HasPrefix(tail[at:], []byte("\xa9\x2b\x4e\xfc")) {
			f.mark("linux_raid_member")
		}
	}
	// DRBD has its magic, 0x8374026b to 0x8374026d, near the end, at an offset that
	// depends on the version.
	for at := max(0, n-(8<<10)); at+4 <= n; at += 4 {
		if m := binary.BigEndian.Uint32(tail[at:]); m >= 0x8374026b && m <= 0x8374026d {
			f.mark("drbd")
		}
	}
}
