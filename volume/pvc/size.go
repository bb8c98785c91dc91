package pvc

import "assay"

// step is what claim sizes are rounded up to: storage systems allocate whole
// extents, and 1 GiB would be much for a small test.
const step = 16 << 20

// Size returns how large a claim must be, in bytes, for a test file of that many
// bytes to fit in an ext4 on it. In a file system with more overhead, Lend lends
// that much less.
//
// Of the size, mke2fs takes one inode of 256 bytes per 16 KiB and 5 % for root:
// inode_size, inode_ratio and reserved_ratio of /etc/mke2fs.conf and mke2fs(8),
// where a CSI driver may set less. Then there are a journal, the block descriptors
// with their reserve for growing, and bitmaps; and assay leaves assay.KeepFree.
func Size(file int64) int64 {
	size := file
	for usable(size) < file {
		size += max(step, (file-usable(size))/2)
	}
	return (size + step - 1) / step * step
}

// usable returns how much of a claim of that size can be lent.
func usable(size int64) int64 {
	inodes, reserved := size/64, size/20
	// Up to 4 MiB of reserved descriptors beside each superblock copy, of which
	// a tebibyte has 19; bitmaps of 8 KiB per 128 MiB.
	descriptors := min(size/200, 80<<20) + size/10000 + 8<<20
	return size - inodes - reserved - descriptors - journal(size) - assay.KeepFree(size)
}

// journal returns the size of the journal that mke2fs makes, in bytes, with 4
// KiB blocks: ext2fs_default_journal_size of libext2fs.
func journal(size int64) int64 {
	for _, limit := range []struct{ below, journal int64 }{
		{128 << 20, 4 << 20}, {1 << 30, 16 << 20}, {2 << 30, 32 << 20}, {16 << 30, 64 << 20},
		{32 << 30, 128 << 20}, {64 << 30, 256 << 20}, {128 << 30, 512 << 20},
	} {
		if size < limit.below {
			return limit.journal
		}
	}
	return 1 << 30
}
