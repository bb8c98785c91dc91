package audit

import (
	"fmt"
	"strings"

	"assay"
)

var nearlyFull = Rule{
	ID: "nearly-full", Number: 56, Applies: "storage writes to a directory", Severities: "W",
	Title:   "The file system is nearly full",
	Formula: "free bytes of the file system, before the run, < 10 % of its size",
	Source:  "OpenZFS documentation, Workload Tuning, Free Space: keep pool free space above 10 %; SSDs and file systems alike find free blocks the slower the fewer there are; for others than ZFS the limit is a choice",
	Example: "35.0 GB of 1,000 GB free = 3.50 % against 10.0 %",
	Check: func(e Evidence) []assay.Finding {
		const id = "nearly-full"
		var found []assay.Finding
		for _, l := range e.storage() {
			d := l.dir()
			var writes []string
			for _, metric := range l.headlines() {
				if strings.HasPrefix(metric, "storage.write.") {
					writes = append(writes, metric)
				}
			}
			switch {
			case d == nil || len(writes) == 0:
			case d.Bytes <= 0:
				if !l.foreign() {
					found = append(found, l.unchecked(id, writes, "free space of "+d.Path, "see it with df -h "+d.Path))
				}
			case float64(d.Free) < leastFree*float64(d.Bytes):
				found = append(found, l.finding(id, assay.Warns, writes,
					fmt.Sprintf("%s of %s free = %s against %s", volume(float64(d.Free)), volume(float64(d.Bytes)), percent(float64(d.Free)/float64(d.Bytes)), percent(leastFree)),
					"writes to a file system or drive that is nearly full are slower than to an empty one: the figure holds for this state",
					"free some space (and run fstrim on an SSD), then measure again"))
			}
		}
		return found
	},
}
