package audit

import (
	"fmt"
	"strings"

	"assay"
)

var jobsOverlap = Rule{
	ID: "jobs-overlap", Number: 28, Applies: "fio", Severities: "W",
	Title:   "Several jobs walk through the same blocks",
	Formula: "several sequential jobs on one file without an offset increment",
	Source:  "fio HOWTO, offset_increment",
	Example: "4 jobs of read on one file, each from its beginning",
	Check: func(e Evidence) []assay.Finding {
		const id = "jobs-overlap"
		var found []assay.Finding
		for _, l := range e.storage() {
			dir := l.directions()[0]
			if l.label("", "tool") != "fio" {
				continue
			}
			var metrics []string
			for _, dir := range l.directions() {
				metrics = append(metrics, l.figuresOf(dir)...)
			}
			jobs, okJobs := parseCount(l.label("", "jobs"))
			pattern := l.label("", "pattern")
			switch argv := l.argv(); {
			case !okJobs || pattern == "":
				found = append(found, l.unchecked(id, metrics, "jobs and pattern", "fio's command line has them"))
			case jobs == 1 || !isSequential(pattern):
			case argv == nil:
				found = append(found, l.unchecked(id, metrics, "offset increment of the jobs", "fio's command line has it"))
			case spread(argv):
			default:
				found = append(found, l.finding(id, assay.Warns, metrics,
					fmt.Sprintf("%d jobs of %s on one file, each from its beginning", jobs, pattern),
					"all but the first job may be served from a cache: drive, controller or array",
					fmt.Sprintf("give each job a part of its own: %s", l.again(dir, map[string]string{"size": fmt.Sprintf("%d%%", 100/jobs), "offset_increment": fmt.Sprintf("%d%%", 100/jobs)}))))
			}
		}
		return found
	},
}

// spread says that a fio command keeps its jobs apart: an offset increment, or
// a file for each job.
func spread(argv []string) bool {
	return option(argv, "offset_increment") != "" || option(argv, "filename") == "" || strings.Contains(option(argv, "filename"), "$jobnum")
}
