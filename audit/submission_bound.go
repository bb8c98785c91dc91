package audit

import (
	"fmt"
	"slices"

	"assay"
)

var submissionBound = Rule{
	ID: "submission-bound", Number: 108, Applies: "fio", Severities: "I",
	Title:   "I/O submission blocks",
	Formula: "in imported output, of an asynchronous engine with a depth above 1: IOPS x mean submission latency > .8 of the jobs; of any engine without a submission latency: a mean completion latency below a tenth of the total one, which is 10 µs and more",
	Source:  "io_submit(2): without O_DIRECT the call does the I/O itself; it also waits when the device's queue is full or the file has to grow. .8 is a choice",
	Example: "142 IOPS x 7.00 ms = .994 in submission, of 1 job",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.fioRuns() {
			if depth, ok := parseCount(l.label("", "iodepth")); l.foreign() && ok && depth > 1 && slices.Contains(asyncEngines, l.label("", "engine")) {
				found = append(found, l.submits()...)
			} else if l.foreign() {
				found = append(found, l.worksAtOnce()...)
			}
		}
		return found
	},
}

func (l look) submits() []assay.Finding {
	jobs, _ := parseCount(l.label("", "jobs"))
	jobs = max(jobs, 1)
	for _, dir := range l.directions() {
		stem := "storage." + dir + "."
		iops, ok := l.median(stem + "iops")
		submission, known := l.median(stem + "latency.submission.mean")
		if !ok || !known || !(iops*submission > submitting*float64(jobs)) {
			continue
		}
		noun := "jobs"
		if jobs == 1 {
			noun = "job"
		}
		return []assay.Finding{l.finding("submission-bound", assay.Informs, []string{stem + "iops"},
			fmt.Sprintf("%s IOPS x %s = %s in submission, of %d %s", figure(iops), seconds(submission), figure(iops*submission), jobs, noun),
			"each job blocks in submission until the operation is done, so the queue depth is never reached",
			"add --direct=1, lay the file out first, or keep the depth below the device's queue: "+l.again(dir, nil))}
	}
	return nil
}

// worksAtOnce finds an engine that executes an operation on submission and reports
// completion a moment later: fio starts timing completion in between.
func (l look) worksAtOnce() []assay.Finding {
	for _, dir := range l.directions() {
		stem := "storage." + dir + "."
		completion, ok := l.median(stem + "latency.mean")
		total, known := l.median(stem + "latency.total.mean")
		if _, printed := l.median(stem + "latency.submission.mean"); printed || !ok || !known || total < cachedWrite || !(completion < atOnce*total) {
			continue
		}
		return []assay.Finding{l.finding("submission-bound", assay.Informs, []string{stem + "latency.mean"},
			fmt.Sprintf("completed after %s of %s: %s", seconds(completion), seconds(total), percent(completion/total)),
			"the engine completes the I/O during submission, before fio starts timing completion: the mean and percentiles are meaningless",
			"quote the mean of the total latency (lat)")}
	}
	return nil
}
