package audit

import (
	"fmt"

	"assay"
)

var unflushed = Rule{
	ID: "unflushed", Number: 103, Applies: "dd", Severities: "W I",
	Title:   "The clock stopped before anything was flushed",
	Formula: "dd wrote through the page cache and its command has no flush: W up to 16 GiB, I beyond; where the RAM is known, rule file-lt-ram judges it",
	Source:  "dd(1): without oflag=direct, dsync or sync, or conv=fsync or fdatasync, the time ends when the last write has been copied into memory; 16 GiB is what home servers mostly have",
	Example: "1.05 GB written to the page cache and never flushed",
	Check: func(e Evidence) []assay.Finding {
		const id = "unflushed"
		var found []assay.Finding
		for _, l := range e.storage() {
			const metric = "storage.write.bandwidth"
			if !l.foreign() || l.label("write", "tool") != "dd" || !l.positive(metric) {
				continue
			}
			direct, known := isOn(l.label("write", "direct"))
			flushed, said := isOn(l.label("write", "sync"))
			if !known {
				found = append(found, l.unchecked(id, []string{metric}, "whether it was flushed", "dd's command line shows it: paste it too"))
				continue
			}
			bytes := l.fileBytes("write")
			if direct || flushed || !said || l.rawDevice() || l.facts.Memory.Total > 0 || bytes <= 0 {
				continue
			}
			severity, part := assay.Warns, "all of it may still have been in memory"
			if bytes > memoryAtHome {
				severity, part = assay.Informs, "the last of it was still in memory"
			}
			found = append(found, l.finding(id, severity, []string{metric},
				fmt.Sprintf("%s written to the page cache and never flushed", volume(float64(bytes))),
				"dd stopped its clock when "+part, "let the flush be part of the time: add conv=fdatasync to dd, or "+l.again("write", nil)))
		}
		return found
	},
}
