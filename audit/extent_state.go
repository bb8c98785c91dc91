package audit

import (
	"fmt"
	"math"
	"strings"

	"assay"
)

var extentState = Rule{
	ID: "extent-state", Number: 27, Applies: "fio", Severities: "E",
	Title:   "Overwrites and first writes mixed in one run",
	Formula: "a write extends past the part of the file that had been written before, but did not start there. For imported output what had been written is either stated with the figure or derived from earlier runs on the same file: starting from a run in which fio itself laid out the file (for a write job that only allocates it), sequential runs from its beginning have written as far as the longest of them",
	Source:  "ext4, XFS and copy-on-write stores must convert an allocated extent into a written one in their journal: the first write of a block costs more than the next",
	Example: "140.1 MB of 1,074 MB had been written before and the run wrote 375.5 MB: after 37.3 % of it the blocks were new",
	Check: func(e Evidence) []assay.Finding {
		const id = "extent-state"
		var found []assay.Finding
		for _, l := range e.storage() {
			if l.label("write", "tool") != "fio" || !l.positive("storage.write.bandwidth") && !l.positive("storage.write.iops") || l.isDevice() {
				continue
			}
			metrics := l.figuresOf("write")
			written, known := float64(l.Scratch.Bytes), l.Scratch.Bytes > 0
			if l.foreign() {
				if l.rawDevice() || l.overwrites() {
					continue
				}
				written, known = e.writtenBefore(l)
			}
			if !known {
				found = append(found, l.unchecked(id, metrics, "which blocks of the file had been written before", "no output shows this: write the whole file once, then measure"))
				continue
			}
			if written == 0 {
				continue // all blocks were new
			}
			file, told := l.walked()
			wrote, ok := l.wrote()
			if !told || file <= written {
				continue // all of it was written before the first repeat
			}
			if !ok {
				found = append(found, l.unchecked(id, metrics, "bytes that the tool wrote", "fio --output-format=json prints them"))
				continue
			}
			if wrote <= written {
				continue
			}
			found = append(found, l.finding(id, assay.Rejects, metrics,
				fmt.Sprintf("%s of %s had been written before and the run wrote %s: after %s of it the blocks were new", volume(written), volume(file), volume(wrote), percent(written/wrote)),
				"two different things were measured one after the other: overwrites, then first writes to allocated blocks",
				"write the file beforehand, not just fallocate it: fio --name=lay --filename=FILE --rw=write --bs=1M --size="+sizeWord(int64(file))+" --end_fsync=1; then: "+l.again("write", nil)))
		}
		return found
	},
}

// walked returns how much of the file all jobs together may touch, if the
// tool's output or command line says so.
func (l look) walked() (bytes float64, known bool) {
	if size, ok := parseSize(l.label("write", "size")); ok {
		return float64(size), true
	}
	size, ok := parseSize(option(l.argv(), "size"))
	if !ok {
		return 0, false
	}
	jobs, _ := parseCount(option(l.argv(), "numjobs"))
	step, _ := parseSize(option(l.argv(), "offset_increment"))
	return float64(size) + float64(step)*float64(max(jobs, 1)-1), true
}

// wrote returns how many bytes were written: whole blocks if they were counted,
// because volumes are printed with three digits.
func (l look) wrote() (bytes float64, ok bool) {
	bytes, ok = l.median("storage.write.bytes")
	ios, counted := l.median("storage.write.ios")
	bs, known := parseSize(l.label("write", "bs"))
	if blocks := ios * float64(bs); l.foreign() && counted && known && blocks > 0 && (!ok || math.Abs(blocks/bytes-1) < bwSlack*2) {
		return blocks, true
	}
	return bytes, ok
}

// overwrites reports whether fio was told to write the whole file before it measured.
func (l look) overwrites() bool {
	on, _ := isOn(orDefault(l.label("write", "overwrite"), option(l.argv(), "overwrite")))
	return on
}

// writtenBefore returns how many bytes at the start of a file were written
// before this result. known is false if the text does not cover the file since
// its creation: an existing file may have been fully written.
func (e Evidence) writtenBefore(l look) (bytes float64, known bool) {
	if v := strings.TrimSpace(l.label("write", "written_before")); v == "0" {
		return 0, true
	} else if v, ok := parseAmount(v); ok {
		return v, true
	}
	before := e.looked().before[l.Trial.ID]
	if l.file() == "" || l.label("write", "pattern") != "write" || before.anywhere {
		return 0, false
	}
	return before.bytes, before.known || l.laidOut()
}

// filled is what earlier results wrote to a file.
type filled struct {
	bytes    float64 // from its start
	known    bool    // since creation
	anywhere bool    // something wrote at unknown offsets
}

// by returns the state of the file after one more result.
func (f filled) by(l look) filled {
	if !l.positive("storage.write.bytes") && !l.positive("storage.write.ios") {
		return f
	}
	wrote, _ := l.wrote()
	switch {
	case l.label("write", "tool") != "fio" || l.label("write", "pattern") != "write" || l.overwrites():
		f.anywhere = true
	case l.laidOut():
		f.bytes, f.known = wrote, true
	default:
		f.bytes = max(f.bytes, wrote)
	}
	return f
}

// laidOut reports whether fio created the file for this run. For a write-only job
// it only sets the length and allocates, and writes no blocks.
func (l look) laidOut() bool { return l.label("write", "layout") == "allocated" }
