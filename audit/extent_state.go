package audit

import (
	"fmt"

	"assay"
)

var extentState = Rule{
	ID: "extent-state", Number: 27, Applies: "fio", Severities: "E",
	Title:   "From blocks once written to blocks only allocated",
	Formula: "a write reaches beyond what was written before the first repeat, and did not start there",
	Source:  "ext4, XFS and copy-on-write stores turn an allocated extent into a written one in their journal: the first write of a block costs more than the next",
	Example: "140.1 MB of 1,074 MB were written before, the run wrote 375.5 MB: from 37.3 % of it on the blocks were new",
	Check: func(e Evidence) []assay.Finding {
		const id = "extent-state"
		var found []assay.Finding
		for _, l := range e.storage() {
			if l.label("write", "tool") != "fio" || !l.positive("storage.write.bandwidth") && !l.positive("storage.write.iops") || l.Trial.Subject.Kind == assay.KindDrive {
				continue
			}
			metrics := l.figuresOf("write")
			written := float64(l.Scratch.Bytes)
			if written <= 0 {
				found = append(found, l.unchecked(id, metrics, "which blocks of the file were written before", "write the whole file once, then measure"))
				continue
			}
			file, known := l.walked()
			wrote, ok := l.median("storage.write.bytes")
			if !known || file <= written {
				continue // all of it was laid out before the first repeat
			}
			if !ok {
				found = append(found, l.unchecked(id, metrics, "bytes that the tool wrote", "fio --output-format=json prints them"))
				continue
			}
			if wrote <= written {
				continue
			}
			found = append(found, l.finding(id, assay.Rejects, metrics,
				fmt.Sprintf("%s of %s were written before, the run wrote %s: from %s of it on the blocks were new", volume(written), volume(file), volume(wrote), percent(written/wrote)),
				"two different things were measured one after the other: overwriting, then allocating",
				"write the file first, do not fallocate it: fio --name=lay --filename=FILE --rw=write --bs=1M --size="+memoryWord(file)+" --end_fsync=1"))
		}
		return found
	},
}

// walked is how much of the file all jobs together may touch, where the tool's
// output or command line says so.
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

// memoryWord is a size for a command line.
func memoryWord(bytes float64) string { return fmt.Sprintf("%.0f", bytes) }
