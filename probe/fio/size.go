package fio

import (
	"fmt"
	"strings"

	"assay"
)

const (
	mib = int64(1) << 20
	gib = int64(1) << 30

	leastBytes = 64 * mib // below this, any drive's own cache holds it all
	// leastPaced is for operations at a given pace: they show how long each takes, and no
	// drive's limit, so that a small file will do.
	leastPaced = 4 * mib
	usualBytes = 4 * gib
)

// chooseSize returns the size of the scratch file in bytes, a multiple of 1 MiB,
// or why there can be none.
//
// A size of 0 asks for one that a cache which O_DIRECT does not bypass cannot
// hold. For a drive's own DRAM and for most RAID controllers 4 GiB is enough.
// Where the page cache or the ARC is in the way (buffered I/O, ZFS) it is 2 x
// RAM. On tmpfs and ramfs the file is itself RAM: never more than half of what
// is available.
//
// What assay.KeepFree says is left free. An automatic size shrinks to keep to
// that, in halves, but not below 64 MiB; a size that was asked for is refused, for
// it would be another measurement.
func chooseSize(s settings, f assay.Facts, d assay.DirFacts) (int64, *assay.Absence) {
	inMemory := d.FileSystem == "tmpfs" || d.FileSystem == "ramfs"
	room := d.Free - assay.KeepFree(d.Bytes)
	if inMemory && f.Memory.Available > 0 {
		half := f.Memory.Available / 2
		if d.Bytes == 0 { // ramfs, and tmpfs with size=0, know no limit
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

// chooseRegion returns how many bytes from its beginning a block device that may be
// overwritten is measured on, a multiple of 1 MiB: what is asked for, all of it, else 4 GiB
// or what there is in even steps. A device that is not known yet, b being nil, is
// taken to be large enough.
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

// evenly returns the largest of 64 MiB, 128 MiB, 256 MiB … that bytes have room for;
// 0 for none. What shrinks does so in these steps: figures of files of 3.1 and of
// 2.9 GiB would not be compared, and the space that is free is never the same.
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

// chooseEngine returns the engine for a machine: io_uring where its kernel lets
// this user have it and its fio knows it (from 3.13), else libaio.
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

// knowsIOUring reports whether a fio of this version has io_uring; an unknown
// version is taken for a recent one.
func knowsIOUring(version string) bool {
	var major, minor int
	if n, _ := fmt.Sscanf(strings.TrimPrefix(version, "fio-"), "%d.%d", &major, &minor); n < 2 {
		return true
	}
	return major > 3 || major == 3 && minor >= 13
}

// chooseJobs returns the number of jobs: four are enough to keep a drive busy,
// and more than there are CPU threads only wait for each other.
func chooseJobs(jobs int, f assay.Facts) int {
	if jobs > 0 {
		return jobs
	}
	return max(1, min(4, f.CPU.Threads))
}
