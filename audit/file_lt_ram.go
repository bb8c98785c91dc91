package audit

import (
	"fmt"
	"strings"

	"assay"
	"assay/stats"
)

var fileLtRAM = Rule{
	ID: "file-lt-ram", Number: 17, Applies: "fio, dd, diskspd", Severities: "E W I",
	Title:   "A file that fits in a cache",
	Formula: "buffered, and the file <= RAM: E, < 2 x RAM: W. Exempt are figures marked as warm or cold cache, writes that end with a flush (fio's only if it wrote no block twice), and those where the kernel counted .95 of the bytes at the drive. RAM unknown: a file of up to 1 GiB that was read three times over, W, and I where it was direct or nothing says, in imported output; one of up to 16 GiB that was read ten times over, I; one of up to 1 GiB that reads and writes, which the tool does not tell apart, went over three times, I; several passes of CrystalDiskMark over one of up to 64 MiB, I. Direct, and the prepared file < 1 GiB and < 1/4 of the planned size: W, or I on a device that writes < 30 MB/s",
	Source:  "the page cache may hold any file that fits in free memory, a drive's own cache any that fits in its RAM; the limits for the latter are a choice",
	Example: "a file of 256 MiB, buffered, against 2 x 23.5 GiB of RAM = 47.1 GiB",
	Check: func(e Evidence) []assay.Finding {
		const id = "file-lt-ram"
		var found []assay.Finding
		for _, l := range e.looks() {
			if l.foreign() && l.rereads("total") {
				found = append(found, l.finding(id, assay.Informs, []string{"storage.total.bandwidth"}, strings.Replace(l.overAndOver("total"), "read out of", "read and written in", 1),
					"a small file, accessed over and over: the page cache, the hypervisor's or the drive's own memory may hold it",
					"use direct I/O on a file of more than twice the RAM: "+l.again("read", nil)))
			}
		}
		for _, l := range e.storage() {
			found = append(found, l.shrunk(e)...)
			for _, dir := range l.directions() {
				direct, known := isOn(l.label(dir, "direct"))
				metrics := l.figuresOf(dir)
				if !direct && l.foreign() && dir == "read" && l.facts.Memory.Total <= 0 && l.rereadsMuch(dir) {
					found = append(found, l.finding(id, assay.Informs, metrics, l.overAndOver(dir)+", not known to be direct",
						"every pass after the first may have been served from the page cache: nothing shows that this file is larger than RAM",
						"use direct I/O on a file of more than twice the RAM: "+l.again(dir, nil)))
				}
				if (direct || !known) && l.foreign() && dir == "read" && l.rereads(dir) {
					how := "direct"
					if !known {
						how = "whether direct is not known"
					}
					found = append(found, l.finding(id, assay.Informs, metrics, l.overAndOver(dir)+", "+how,
						"a small file, read over and over: the page cache, the hypervisor's or the drive's own memory may hold it, and a flash drive looks up its few addresses in memory",
						"use direct I/O on a file of more than twice the RAM: "+l.again(dir, nil)))
				}
				if passes, ok := parseCount(l.label(dir, "passes")); ok && passes > 1 && direct && l.foreign() && l.fileBytes(dir) > 0 && l.fileBytes(dir) <= driveHolds {
					found = append(found, l.finding(id, assay.Informs, metrics, fmt.Sprintf("%d passes over a file of %s, direct", passes, memory(float64(l.fileBytes(dir)))),
						"the drive's own memory holds a file this small: the best of several passes is of that, and a flash drive looks up its few addresses in memory",
						"choose a test size of 1 GiB and more"))
				}
				if !known && l.label(dir, "tool") != "dd" { // dd is buffered by default
					found = append(found, l.unchecked(id, metrics, "whether the I/O was direct", "the tool's output or command line shows it"))
					continue
				}
				if direct || l.saysWhatItReads(dir) || l.ended(dir) || l.reached(dir) {
					continue
				}
				file, ram, available := l.fileBytes(dir), l.facts.Memory.Total, l.facts.Memory.Available
				switch {
				case l.foreign() && available > 0 && file > available:
					// Memory could not hold all of it; cache-state judges the part that it
					// held.
				case file <= 0:
					found = append(found, l.unchecked(id, metrics, "size of the file", "the tool's command line has it"))
				case ram <= 0 && dir == "read" && l.rereads(dir):
					found = append(found, l.finding(id, assay.Warns, metrics, l.overAndOver(dir)+", buffered",
						"this file fits in any machine's RAM: every pass after the first came from the page cache, even if the file is on a network",
						"use direct I/O on a file of more than twice the RAM: "+l.again(dir, nil)))
				case ram <= 0:
					found = append(found, l.unchecked(id, metrics, "size of RAM", "take the host's inventory along with the figures"))
				case file/ramMultiple < ram:
					severity, message := assay.Rejects, "this file fits in memory: nothing shows that the drive was measured"
					if file > ram {
						severity, message = assay.Warns, "memory holds a large part of this file: that part need not have come from the drive"
						if dir == "write" {
							message = "memory holds a large part of this file: that part need not have reached the drive"
						}
					}
					found = append(found, l.finding(id, severity, metrics,
						fmt.Sprintf("a file of %s, buffered, against %d x %s of RAM = %s", memory(float64(file)), ramMultiple, memory(float64(ram)), memory(ramMultiple*float64(ram))),
						message,
						"use direct I/O: "+l.again(dir, nil)))
				}
			}
		}
		return found
	},
}

// shrunk finds a file prepared far smaller than planned because time or space
// ran out.
func (l look) shrunk(e Evidence) []assay.Finding {
	bytes, planned := float64(l.Scratch.Bytes), float64(l.Trial.Scratch)
	if !(bytes > 0) || bytes >= plannedShare*planned || bytes >= smallFile {
		return nil
	}
	var metrics []string
	for _, dir := range l.directions() {
		if direct, _ := isOn(l.label(dir, "direct")); direct {
			metrics = append(metrics, l.figuresOf(dir)...)
		}
	}
	if len(metrics) == 0 {
		return nil
	}
	severity, message := assay.Warns, "the drive's own cache may hold it"
	if fastest := e.fastestWrite(l.Trial.Subject.ID); fastest > 0 && fastest < slowDevice {
		severity, message = assay.Informs, "the device writes "+rate(fastest)+" at best: devices this slow rarely have a cache"
	}
	return []assay.Finding{l.finding("file-lt-ram", severity, metrics,
		fmt.Sprintf("a file of %s where %s was planned: %s", memory(bytes), memory(planned), times(bytes/planned)),
		message, "allow more time to write it with a larger --time-budget, or provide more free space")}
}

// fastestWrite returns the highest write bandwidth measured on a subject, in
// B/s; 0 if none was.
func (e Evidence) fastestWrite(subject string) float64 {
	fastest := 0.
	for _, l := range e.storage() {
		if v, ok := l.median("storage.write.bandwidth"); ok && l.Trial.Subject.ID == subject {
			fastest = max(fastest, v)
		}
	}
	return fastest
}

// saysWhatItReads reports whether the figure states its cache state.
func (l look) saysWhatItReads(dir string) bool {
	return l.warm(dir) || strings.HasPrefix(l.label(dir, "cache"), "cold")
}

// ended reports whether the writes were durable before the clock stopped.
func (l look) ended(dir string) bool {
	if dir != "write" {
		return false
	}
	each, after := l.flushesEach()
	once := l.label(dir, "sync") // dd's conv=
	// Of blocks written several times, a flush at the end writes only the last.
	return each || after || once == "fsync" || once == "fdatasync" || l.flushesLast() && l.goesOver(dir) <= onceOver
}

// reached reports whether the kernel saw the bytes at the device.
func (l look) reached(dir string) bool {
	r := l.reconcile(dir)
	return r.missing == "" && stats.Median(r.ratios) >= reachedDevice
}

// goesOver returns how many times the bytes moved cover the file.
func (l look) goesOver(dir string) float64 {
	moved, ok := l.median("storage." + dir + ".bytes")
	if !ok && dir == "total" {
		speed, known := l.median("storage.total.bandwidth")
		moved, ok = l.median("tool.duration")
		moved, ok = moved*speed, ok && known
	}
	if file := l.fileBytes(dir); ok && file > 0 {
		return moved / float64(file)
	}
	return 0
}

// rereads reports whether a file small enough for any machine's memory was read
// several times.
func (l look) rereads(dir string) bool {
	file := l.fileBytes(dir)
	return file > 0 && file <= alwaysFits && l.goesOver(dir) >= rereadTimes
}

// rereadsMuch reports whether a file that fits in many machines' memory was read
// so often that such a machine must have served it from there.
func (l look) rereadsMuch(dir string) bool {
	file := l.fileBytes(dir)
	return file > alwaysFits && file <= memoryAtHome && l.goesOver(dir) >= rereadMany
}

// overAndOver says how many times a file was read.
func (l look) overAndOver(dir string) string {
	file, n := float64(l.fileBytes(dir)), l.goesOver(dir)
	return fmt.Sprintf("%s read out of a file of %s: %s times over", volume(n*file), memory(file), figure(n))
}

// fileBytes returns the size of the file that was read or written; 0 if
// unknown.
func (l look) fileBytes(dir string) int64 {
	if size, ok := parseSize(l.label(dir, "size")); ok {
		return size
	}
	if l.Scratch.Bytes > 0 {
		return l.Scratch.Bytes
	}
	if size, ok := parseSize(option(l.argv(), "size")); ok {
		return size
	}
	if size, ok := parseSize(l.label(dir, "laid_out")); ok {
		return size
	}
	return 0
}
