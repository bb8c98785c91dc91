package audit

import (
	"fmt"

	"assay"
)

var stall = Rule{
	ID: "stall", Number: 99, Applies: "storage, rados bench, s3", Severities: "I",
	Title:   "Something stood still during the run",
	Formula: "in outputs of others: the slowest operation took 1 s and 10 x the mean, or 50 ms and 300 x the mean, or where no mean was printed 2 s; or the slowest second, of ten or more, did less than a quarter of the mean",
	Source:  "a choice: a disk that retries gives up after seconds, the garbage collection of a flash drive takes tens of ms; mean and p99 hide what happens once",
	Example: "the slowest took 681 ms, 541 x the mean of 1.26 ms",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if !l.foreign() {
				continue // its samples and percentiles show it
			}
			for _, stem := range latencyStems {
				if f := l.stoodStill(stem); f != nil {
					found = append(found, *f)
				}
			}
		}
		return found
	},
}

// latencyStems begin the names of the metrics that have latencies of many operations.
var latencyStems = []string{
	"storage.read.", "storage.write.", "storage.sync.", "storage.total.", "pool.read.", "pool.write.",
	"object.put.", "object.get.", "object.delete.", "object.head.", "object.list.", "database.",
}

// stoodStill is what one kind of operation shows of a stall, nil where nothing.
func (l look) stoodStill(stem string) *assay.Finding {
	const id = "stall"
	const advice = "watch the run second by second, with the kernel's log and the drive's temperature beside it: dmesg -w; smartctl -x DEVICE"
	most, ok := l.median(stem + "latency.max")
	mean, known := l.median(stem + "latency.mean")
	if ok && known && mean > 0 && (most >= stallLong && most >= stallTimes*mean || most >= stallShort && most >= stallFar*mean) {
		f := l.finding(id, assay.Informs, []string{stem + "latency.max"},
			fmt.Sprintf("the slowest took %s, %s the mean of %s", seconds(most), times(most/mean), seconds(mean)),
			"something stood still for "+seconds(most)+" at least once: whoever waited then saw that, and not the mean", advice)
		return &f
	}
	if ok && !known && most >= stallAlone {
		f := l.finding(id, assay.Informs, []string{stem + "latency.max"}, "the slowest took "+seconds(most),
			"something stood still for "+seconds(most)+" at least once: whoever waited then saw that, and not the mean", advice)
		return &f
	}
	if submitted, waits := parseFloat(l.metricLabel(stem+"latency.submission.mean", "max")); waits && submitted >= stallLong {
		f := l.finding(id, assay.Informs, []string{stem + "latency.submission.mean"}, "one submission took "+seconds(submitted),
			"the call that submits stood still for "+seconds(submitted)+": the page cache or the device's queue was full", advice)
		return &f
	}
	for _, of := range []string{"bandwidth", "ops"} {
		least, ok := l.median(stem + of + ".min")
		speed, known := l.median(stem + of)
		ran, _, timed := l.runtime()
		if !ok || !known || !timed || ran < stallSeconds || !(least < stallShare*speed) {
			continue
		}
		f := l.finding(id, assay.Informs, []string{stem + of},
			fmt.Sprintf("the slowest second did %s of the mean of %s: %s", inUnit(stem+of, least), inUnit(stem+of, speed), percent(least/speed)),
			"for a second or more there was "+stillness(least), advice)
		return &f
	}
	return nil
}

func stillness(least float64) string {
	if least > 0 {
		return "almost no progress"
	}
	return "no progress at all"
}
