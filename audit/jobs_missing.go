package audit

import (
	"fmt"

	"assay"
)

var jobsMissing = Rule{
	ID: "jobs-missing", Number: 111, Applies: "fio", Severities: "I",
	Title:   "Fewer jobs than were started",
	Formula: "in imported output: the jobs of the output, as many as each entry adds up, < the processes and threads that fio says it started",
	Source:  "fio(1): without group_reporting each job has an entry of its own",
	Example: "1 of 16 jobs",
	Check: func(e Evidence) []assay.Finding {
		type seen struct {
			first            look
			started, printed int
		}
		all := map[output]*seen{}
		var inOrder []output
		for _, l := range e.fioRuns() {
			started, ok := parseCount(l.label("", "started"))
			jobs, known := parseCount(l.label("", "jobs"))
			if !l.foreign() || !ok || !known {
				continue
			}
			of := output{l.Trial.From, l.Trial.Subject.Host}
			if all[of] == nil {
				all[of] = &seen{first: l, started: started}
				inOrder = append(inOrder, of)
			}
			all[of].printed += jobs
		}
		var found []assay.Finding
		for _, of := range inOrder {
			s := all[of]
			if s.printed >= s.started {
				continue
			}
			found = append(found, s.first.finding("jobs-missing", assay.Informs, s.first.headlines(), fmt.Sprintf("%d of %d jobs", s.printed, s.started),
				"the other jobs are missing from this output: all jobs together did more than this figure shows, and each shared the device with the rest",
				"add --group_reporting, or paste the output of all jobs"))
		}
		return found
	},
}
