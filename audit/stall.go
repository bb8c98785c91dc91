package audit

import (
	"fmt"

	"assay"
)

var stall = Rule{
	ID: "stall", Number: 99, Applies: "storage, rados bench, s3", Severities: "I",
	Title:   "I/O stalled during the run",
	Formula: "in imported output: the slowest operation took 1 s and 10 x the mean, or 150 ms and 100 x, or 50 ms and 300 x, or where no mean was printed 2 s; dd went on past errors of its input; or the slowest second, of ten or more, did less than a quarter of the mean",
	Source:  "a choice: a disk that retries gives up after seconds, the garbage collection of a flash drive takes tens of ms; mean and p99 hide what happens once",
	Example: "the slowest took 681 ms, 541 x the mean of 1.26 ms",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if !l.foreign() {
				continue // its samples and percentiles show it
			}
			if f := l.readOn(); f != nil {
				found = append(found, *f)
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

// readOn reports a copy that went on past read errors, and what they cost; nil
// if there were none.
func (l look) readOn() *assay.Finding {
	for _, dir := range l.directions() {
		if n, ok := parseCount(l.label(dir, "read_errors")); ok && n > 0 {
			f := l.finding("stall", assay.Informs, []string{"storage." + dir + ".bandwidth"}, countedAs(float64(n), "error")+" of reading",
				"the device could not read a part of its data, which it tries for seconds each time: the figure has that in it, and what was copied has holes",
				"save what can be read with ddrescue, and look at the drive: smartctl -x DEVICE")
			return &f
		}
	}
	return nil
}

// latencyStems are the prefixes of metrics with latencies of many operations.
var latencyStems = []string{
	"storage.read.", "storage.write.", "storage.sync.", "storage.total.", "pool.read.", "pool.write.",
	"object.put.", "object.get.", "object.delete.", "object.head.", "object.list.", "database.",
}

// stoodStill reports a stall in one kind of operation; nil if there was none.
func (l look) stoodStill(stem string) *assay.Finding {
	const id = "stall"
	const advice = "watch the run second by second, with the kernel's log and the drive's temperature beside it: dmesg -w; smartctl -x DEVICE"
	most, ok := l.median(stem + "latency.max")
	mean, known := l.median(stem + "latency.mean")
	if ok && known && mean > 0 && (most >= stallLong && most >= stallTimes*mean || most >= stallMiddle && most >= stallMid*mean || most >= stallShort && most >= stallFar*mean) {
		f := l.finding(id, assay.Informs, []string{stem + "latency.max"},
			fmt.Sprintf("the slowest took %s, %s the mean of %s", seconds(most), times(most/mean), seconds(mean)),
			"I/O stalled for "+seconds(most)+" at least once: anything waiting then saw that, not the mean", advice)
		return &f
	}
	if ok && !known && most >= stallAlone {
		f := l.finding(id, assay.Informs, []string{stem + "latency.max"}, "the slowest took "+seconds(most),
			"I/O stalled for "+seconds(most)+" at least once: anything waiting then saw that, not the mean", advice)
		return &f
	}
	whole, okWhole := l.median(stem + "latency.total.mean")
	if longest, waits := parseFloat(l.metricLabel(stem+"latency.total.mean", "max")); waits && okWhole && longest >= stallLong && longest >= stallTimes*whole {
		f := l.finding(id, assay.Informs, []string{stem + "latency.total.mean"}, fmt.Sprintf("the slowest took %s, %s the mean of %s", seconds(longest), times(longest/whole), seconds(whole)),
			"I/O stalled for "+seconds(longest)+" at least once: anything waiting then saw that, not the mean", advice)
		return &f
	}
	if submitted, waits := parseFloat(l.metricLabel(stem+"latency.submission.mean", "max")); waits && submitted >= stallLong {
		f := l.finding(id, assay.Informs, []string{stem + "latency.submission.mean"}, "one submission took "+seconds(submitted),
			"the submitting call blocked for "+seconds(submitted)+": the page cache or the device's queue was full", advice)
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
