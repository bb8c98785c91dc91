package audit

import (
	"fmt"
	"strings"

	"assay"
	"assay/stats"
)

var fileLtRAM = Rule{
	ID: "file-lt-ram", Number: 17, Applies: "fio, dd", Severities: "E",
	Title:   "A buffered file that memory holds",
	Formula: "buffered, and the file < 2 x RAM. Exempt: figures that say their cache is warm or cold, writes that end with a flush, and those of which the kernel saw .95 of the bytes at the drive",
	Source:  "the page cache may hold any file that fits beside what else is in memory",
	Example: "a file of 256 MiB, buffered, against 2 x 23.5 GiB of RAM = 47.1 GiB",
	Check: func(e Evidence) []assay.Finding {
		const id = "file-lt-ram"
		var found []assay.Finding
		for _, l := range e.storage() {
			for _, dir := range l.directions() {
				direct, known := isOn(l.label(dir, "direct"))
				metrics := l.figuresOf(dir)
				if !known && l.label(dir, "tool") != "dd" { // dd buffers unless it is told otherwise
					found = append(found, l.unchecked(id, metrics, "whether the I/O was direct", "the tool's own output or command line says it"))
					continue
				}
				if direct || l.saysWhatItReads(dir) || l.ended(dir) || l.reached(dir) {
					continue
				}
				file, ram := l.fileBytes(dir), l.facts.Memory.Total
				switch {
				case file <= 0:
					found = append(found, l.unchecked(id, metrics, "size of the file", "the tool's command line has it"))
				case ram <= 0:
					found = append(found, l.unchecked(id, metrics, "size of RAM", "take the inventory of the host along with the numbers"))
				case file/ramMultiple < ram:
					found = append(found, l.finding(id, assay.Rejects, metrics,
						fmt.Sprintf("a file of %s, buffered, against %d x %s of RAM = %s", memory(float64(file)), ramMultiple, memory(float64(ram)), memory(ramMultiple*float64(ram))),
						"memory can hold this file: nothing says that the drive was measured",
						"use direct I/O: "+l.again(dir, map[string]string{"direct": "1"})))
				}
			}
		}
		return found
	},
}

// saysWhatItReads says that the figure names the state of the cache it met.
func (l look) saysWhatItReads(dir string) bool {
	return l.warm(dir) || strings.HasPrefix(l.label(dir, "cache"), "cold")
}

// ended says that the writes were durable before the clock stopped.
func (l look) ended(dir string) bool {
	if dir != "write" {
		return false
	}
	each, after := l.flushesEach()
	once := l.label(dir, "sync") // dd's conv=
	return each || after || once == "fsync" || once == "fdatasync"
}

// reached says that the kernel saw the bytes at the device.
func (l look) reached(dir string) bool {
	r := l.reconcile(dir)
	return r.missing == "" && stats.Median(r.ratios) >= reachedDevice
}

// fileBytes is the size of the file that was read or written, 0 unknown.
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
	return 0
}
