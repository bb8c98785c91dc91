package audit

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

var zfsRecord = Rule{
	ID: "zfs-record", Number: 58, Applies: "random writes on ZFS", Severities: "I",
	Title:   "Writes smaller than the blocks of ZFS",
	Formula: "random writes in blocks of half of the recordsize, or of a zvol's volblocksize, or less",
	Source:  "OpenZFS documentation, Workload Tuning, Dataset recordsize: what is smaller than a record is read, changed and written back as a record",
	Example: "writes of 4.00 KiB on records of 128 KiB: 32 x",
	Check: func(e Evidence) []assay.Finding {
		const id = "zfs-record"
		var found []assay.Finding
		for _, l := range e.storage() {
			if l.foreign() || l.lentDataset() == nil || !l.positive("storage.write.iops") || !strings.HasPrefix(l.label("write", "pattern"), "rand") {
				continue
			}
			name, noun := "recordsize", "records"
			if l.dir() == nil {
				name, noun = "volblocksize", "volume blocks"
			}
			metrics := l.figuresOf("write")
			bs, okBs := parseSize(l.label("write", "bs"))
			record, okRecord := parseSize(l.zfsSetting(name))
			if !okBs || !okRecord {
				found = append(found, l.unchecked(id, metrics, "block size and "+name, "zfs get "+name))
				continue
			}
			if record < recordMany*bs {
				continue
			}
			found = append(found, l.finding(id, assay.Informs, metrics,
				fmt.Sprintf("writes of %s on %s of %s: %d x", memory(float64(bs)), noun, memory(float64(record)), record/bs),
				"each such write has ZFS read, change and write a whole block: the figure holds for this "+name,
				"for a workload of such writes compare a tier with "+name+": "+strconv.FormatInt(bs>>10, 10)+"K"))
		}
		return found
	},
}
