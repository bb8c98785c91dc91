package audit

import (
	"fmt"
	"strings"

	"assay"
)

var jobsOverlap = Rule{
	ID: "jobs-overlap", Number: 28, Applies: "fio", Severities: "W I",
	Title:   "Several jobs read or write the same blocks",
	Formula: "several sequential jobs on one file without an offset increment: W, or I where they only write, with direct I/O",
	Source:  "fio HOWTO, offset_increment; what one job reads, a cache has for the others, but a direct write goes to the device whoever wrote that block before",
	Example: "4 jobs of read on one file, each from its beginning",
	Check: func(e Evidence) []assay.Finding {
		const id = "jobs-overlap"
		var found []assay.Finding
		for _, l := range e.fioRuns() {
			var metrics []string
			for _, dir := range l.directions() {
				metrics = append(metrics, l.figuresOf(dir)...)
			}
			jobs, okJobs := parseCount(l.label("", "jobs"))
			if started, ok := parseCount(option(l.argv(), "numjobs")); ok && okJobs {
				jobs = max(jobs, started) // without group_reporting fio lists each job
			}
			pattern := l.label("", "pattern")
			switch argv := l.argv(); {
			case isRandom(pattern):
			case !okJobs || pattern == "":
				found = append(found, l.unchecked(id, metrics, "jobs and pattern", "fio's command line has them"))
			case jobs == 1:
			case l.apart():
			case argv == nil && l.file() == "":
				found = append(found, l.unchecked(id, metrics, "offset increment of the jobs", "fio's command line has it"))
			case option(argv, "offset_increment") != "", argv != nil && l.label("", "file") == "" && spread(argv):
			default:
				severity, message := assay.Warns, "all jobs but the first may be served from a cache in the drive, controller or array"
				if direct, _ := isOn(l.label("write", "direct")); direct && pattern == "write" {
					severity, message = assay.Informs, "each block is overwritten by all jobs: a write cache in the drive, controller or array may put them together"
				}
				found = append(found, l.finding(id, severity, metrics,
					fmt.Sprintf("%d jobs of %s on one file, each from its beginning", jobs, pattern), message,
					"give each job its own part of the file: "+l.again(l.main(), nil)))
			}
		}
		return found
	},
}

// apart reports whether the labels keep the jobs apart.
func (l look) apart() bool {
	increment := l.label("", "offset_increment")
	return increment != "" && increment != "0" || strings.Contains(l.label("", "file"), "$jobnum")
}

// spread reports whether a fio command keeps its jobs apart, by an offset increment
// or one file per job.
func spread(argv []string) bool {
	return option(argv, "offset_increment") != "" || option(argv, "filename") == "" || strings.Contains(option(argv, "filename"), "$jobnum")
}
