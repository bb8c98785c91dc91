package fio

import (
	"fmt"
	"strings"

	"assay"
)

const (
	mib = int64(1) << 20
	gib = int64(1) << 30

	leastBytes = 64 * mib // smaller files fit in any drive's own cache
	// leastPaced is for rate-limited operations: they show the latency of each, not a
	// drive's limit, so a small file is enough.
	leastPaced = 4 * mib
	usualBytes = 4 * gib
)

// chooseSize returns the size of the scratch file in bytes, a multiple of 1 MiB,
// or why there can be none.
//
// A size of 0 requests a file too large for any cache that O_DIRECT does not
// bypass. For a drive's own DRAM and for most RAID controllers 4 GiB is enough. If
// the page cache or the ARC is in the way (buffered I/O, ZFS), it is 2 x RAM. On
// tmpfs and ramfs the file is itself RAM: it takes at most half of what is
// available.
//
// The space that assay.KeepFree returns stays free. An automatic size is halved
// until it fits, but not below 64 MiB; a requested size is refused, since a
// smaller one would be another measurement.
func chooseSize(s settings, f assay.Facts, d assay.DirFacts) (int64, *assay.Absence) {
	inMemory := d.FileSystem == "tmpfs" || d.FileSystem == "ramfs"
	room := d.Free - assay.KeepFree(d.Bytes)
	if inMemory && f.Memory.Available > 0 {
		half := f.Memory.Available / 2
		if d.Bytes == 0 { // ramfs, and tmpfs with size=0, have no limit
			room = half
		}
		room = min(room, half)
	}
	room = max(room, 0) / mib * mib

	want := s.size
	if want <= 0 {
		want = usualBytes
		cached := d.FileSystem == "zfs" || !s.direct
		if cached && !inMemory && f.Memory.Total > 0 {
			want = max(2*f.Memory.Total, usualBytes)
		}
		if want > room {
			want = max(evenly(room), leastBytes)
		}
	}
	want = want / mib * mib
	if want > room {
		return 0, &assay.Absence{
			Word: assay.Failed,
			Why: fmt.Sprintf("%s has room for %d MiB of scratch space (%d MiB free, part of it kept in reserve), but %d MiB are needed",
				d.Path, room/mib, d.Free/mib, want/mib),
			Hint: "free space there, or use a directory on a larger file system",
		}
	}
	return want, nil
}

// chooseRegion returns how many bytes are measured at the beginning of a block device that
// may be overwritten, a multiple of 1 MiB: the requested size, all of it, else 4 GiB or
// what fits in even steps. A device that is not known yet (b is nil) is assumed to be large
// enough.
func chooseRegion(s settings, b *assay.BlockDevice) (int64, *assay.Absence) {
	want := s.size
	if want == wholeDevice && b != nil {
		return max(b.Bytes, leastBytes) / mib * mib, nil
	}
	if want <= 0 {
		want = usualBytes
		if b != nil && b.Bytes < want {
			want = max(evenly(b.Bytes), leastBytes)
		}
	}
	want = want / mib * mib
	if b != nil && b.Bytes < want {
		return 0, &assay.Absence{
			Word: assay.Failed,
			Why:  fmt.Sprintf("%s has %d MiB, but %d MiB are needed for the measurement", b.Path, b.Bytes/mib, want/mib),
			Hint: "use a larger volume or device",
		}
	}
	return want, nil
}

// evenly returns the largest of 64 MiB, 128 MiB, 256 MiB … that fits into bytes, or
// 0 if none does. Sizes shrink in these steps because free space is never the same,
// and figures from files of 3.1 and 2.9 GiB would not be compared.
func evenly(bytes int64) int64 {
	if bytes < leastBytes {
		return 0
	}
	size := leastBytes
	for size <= bytes/2 {
		size *= 2
	}
	return size
}

// chooseEngine returns the engine for a machine: io_uring if its kernel allows
// this user to use it and its fio supports it (from 3.13), else libaio.
func chooseEngine(engine string, f assay.Facts) string {
	if engine != engineAsync {
		return engine
	}
	if f.OS.Windows {
		return engineWindows
	}
	if f.IOUring != nil && *f.IOUring && knowsIOUring(f.Tool("fio").Version) {
		return "io_uring"
	}
	return "libaio"
}

// knowsIOUring reports whether this version of fio supports io_uring; an
// unknown version is assumed to be recent.
func knowsIOUring(version string) bool {
	var major, minor int
	if n, _ := fmt.Sscanf(strings.TrimPrefix(version, "fio-"), "%d.%d", &major, &minor); n < 2 {
		return true
	}
	return major > 3 || major == 3 && minor >= 13
}

// chooseJobs returns the number of jobs: four keep a drive busy, and jobs
// beyond the number of CPU threads only wait for each other.
func chooseJobs(jobs int, f assay.Facts) int {
	if jobs > 0 {
		return jobs
	}
	return max(1, min(4, f.CPU.Threads))
}
