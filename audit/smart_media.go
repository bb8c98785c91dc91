package audit

import (
	"fmt"
	"slices"
	"strings"

	"assay"
)

var smartMedia = Rule{
	ID: "smart-media", Number: 49, Applies: "smart", Severities: "E W",
	Title:   "The drive has failed, lost data, or is using up its spare blocks",
	Formula: "the drive reports that it has failed, other than by its temperature alone: E; media errors, unreadable (pending, offline) or uncorrected sectors > 0: E; data damaged inside the drive > 0: E; spare blocks below the drive's threshold, or below 100 % and falling between two readings: E; below 100 % with only one reading: W; reallocated sectors or grown defects > 0: W, growing between two readings: E; unreadable sectors in the error log alone: W",
	Source:  "NVM Express Base Specification, SMART log: media and data integrity errors are unrecovered errors, available spare is a normalised percentage; smartmontools' drive database for ATA attributes 5, 184, 187, 197, 198; SBC-4 for the grown defect list",
	Example: "519 media errors",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if l.isSMART() {
				found = append(found, l.medium()...)
			}
		}
		return found
	},
}

// medium judges what a drive reports about its medium.
func (l look) medium() []assay.Finding {
	const id = "smart-media"
	var found []assay.Finding
	say := func(s assay.Severity, metric, arithmetic, message, advice string) {
		found = append(found, l.finding(id, s, []string{metric}, arithmetic, message, advice))
	}
	failed := l.saysItFailed()
	if failed {
		arithmetic := "self-assessment: 0; a healthy drive reports 1"
		if why := l.metricLabel("smart.passed", "critical_warning"); why != "" {
			arithmetic += " (" + why + ")"
		}
		say(assay.Rejects, "smart.passed", arithmetic, l.whatFailed(), "back up the data, replace the drive, measure the new one")
	}
	errors, spare, replaced := l.values("smart.media_errors"), l.values("smart.available_spare"), l.values("smart.reallocated_sectors")
	if !failed && len(errors) == 0 && len(spare) == 0 && len(replaced) == 0 {
		return append(found, l.unchecked(id, nil, "media errors and spare blocks", "smartctl -x as root, or nvme smart-log; not every drive counts them"))
	}
	if len(errors) > 0 && slices.Max(errors) > 0 {
		message, advice := l.whatWasLost()
		say(assay.Rejects, "smart.media_errors", l.countOf("smart.media_errors", errors), message, advice)
	}
	if v := l.values("smart.end_to_end_errors"); len(v) > 0 && slices.Max(v) > 0 {
		say(assay.Rejects, "smart.end_to_end_errors", grouped(slices.Max(v), 0)+" end-to-end errors",
			"data was damaged inside the drive, between its cache and its interface", "back up the data, scrub the file system, replace the drive")
	}
	if n, _ := parseCount(l.metricLabel("smart.error_log_entries", "media")); n > 0 && (len(errors) == 0 || slices.Max(errors) == 0) {
		say(assay.Warns, "smart.error_log_entries", fmt.Sprintf("%d of the entries that the error log still holds are of the medium", n),
			"sectors were unreadable at some time, although no counter has them now: they were written again since", "run a long self-test: smartctl -t long DEVICE, later smartctl -l selftest DEVICE")
	}
	found = append(found, l.spares(spare)...)
	return append(found, l.replacements(replaced)...)
}

// saysItFailed reports whether the drive's own verdict is failure. Merely being
// too hot does not count: see smart-heat.
func (l look) saysItFailed() bool {
	return slices.Contains(l.values("smart.passed"), 0) && l.metricLabel("smart.passed", "critical_warning") != tooHot
}

// tooHot is the text of the critical warning's temperature bit.
const tooHot = "temperature out of range"

// whatFailed explains the failure; it knows firmware that calls a drive
// unreliable for wear alone.
func (l look) whatFailed() string {
	used, known := l.median("smart.percentage_used")
	errors, counted := l.median("smart.media_errors")
	if l.metricLabel("smart.passed", "critical_warning") == "reliability degraded" && known && used >= 1 && counted && errors == 0 && !l.spareIsLow() {
		return fmt.Sprintf("the drive calls itself unreliable, most likely because %s of its rated endurance is used up: it has spare blocks and lost no data yet, but nothing is promised from here on", percent(used))
	}
	return "the drive reports that it has failed: its figures say nothing about a healthy one"
}

// whatWasLost explains what the largest counter of unreadable data counts.
func (l look) whatWasLost() (message, advice string) {
	label := func(key string) int { n, _ := parseCount(l.metricLabel("smart.media_errors", key)); return n }
	const backup = "back up the data, scrub the file system, replace the drive"
	switch {
	case label("pending") > 0:
		return "sectors can't be read and wait to be replaced: what was in them is lost unless a copy is elsewhere",
			"back up the data, then scrub the file system or array so that they are written again; replace the drive if more appear"
	case label("reported") > 0 && label("offline") == 0:
		return "the drive has returned read errors to the host: data was unreadable at some time, whatever its overall health status says", backup
	}
	return "the drive counted unrecovered errors: data was lost or unreadable, whatever its overall health status says", backup
}

// countOf formats a counter with its known parts.
func (l look) countOf(metric string, values []float64) string {
	text := countedAs(slices.Max(values), "media error")
	var parts []string
	for _, key := range []string{"pending", "offline", "reported", "read", "write", "verify"} {
		if n, _ := parseCount(l.metricLabel(metric, key)); n > 0 {
			parts = append(parts, key+" "+grouped(float64(n), 0))
		}
	}
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text
}

// countedAs formats a count with its noun.
func countedAs(n float64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return grouped(n, 0) + " " + thing
}

// spareIsLow reports whether fewer spare blocks are left than the drive's own
// threshold.
func (l look) spareIsLow() bool {
	spare, limit, known := l.sparesLeft()
	return known && spare < limit
}

func (l look) sparesLeft() (spare, limit float64, known bool) {
	spare, ok := l.median("smart.available_spare")
	limit, has := parseFloat(l.metricLabel("smart.available_spare", "threshold"))
	return spare, limit, ok && has
}

func (l look) spares(spare []float64) []assay.Finding {
	if len(spare) == 0 {
		return nil
	}
	say := func(s assay.Severity, arithmetic, message, advice string) []assay.Finding {
		return []assay.Finding{l.finding("smart-media", s, []string{"smart.available_spare"}, arithmetic, message, advice)}
	}
	first, last := spare[0], spare[len(spare)-1]
	_, limit, _ := l.sparesLeft()
	switch {
	case l.spareIsLow():
		return say(assay.Rejects, fmt.Sprintf("spare blocks %s, below the drive's threshold of %s", percent(last), percent(limit)),
			"hardly a block is left to replace failing ones: drives turn read-only here", "back up the data now, replace the drive")
	case last < 1 && last < first:
		return say(assay.Rejects, fmt.Sprintf("spare blocks %s, %s before", percent(last), percent(first)), "blocks are failing right now", "back up the data, replace the drive")
	case last < 1:
		return say(assay.Warns, fmt.Sprintf("spare blocks %s of 100 %%", percent(last)), "some blocks have failed; only a later reading can show whether more do", "check again in a month: smartctl -a")
	}
	return nil
}

func (l look) replacements(replaced []float64) []assay.Finding {
	if len(replaced) == 0 || replaced[len(replaced)-1] <= 0 {
		return nil
	}
	first, last := replaced[0], replaced[len(replaced)-1]
	what := "reallocated sectors"
	if l.metricLabel("smart.reallocated_sectors", "source") == "grown defect list" {
		what = "grown defects"
	}
	metrics := []string{"smart.reallocated_sectors"}
	if last > first {
		return []assay.Finding{l.finding("smart-media", assay.Rejects, metrics, fmt.Sprintf("%s %s, %s before", grouped(last, 0), what, grouped(first, 0)),
			"sectors are failing right now", "back up the data, replace the drive")}
	}
	return []assay.Finding{l.finding("smart-media", assay.Warns, metrics, grouped(last, 0)+" "+what,
		"the drive has replaced failed sectors by spare ones: nothing need be lost, but drives that did so once fail more often, and reads of them seek",
		"keep a backup, run a long self-test and see whether the number grows: smartctl -t long DEVICE, later smartctl -x DEVICE")}
}

// isSMART reports whether the result is a reading of a drive's own health data.
func (l look) isSMART() bool {
	for _, r := range l.reps {
		for _, m := range r.Measurements {
			if strings.HasPrefix(m.Metric, "smart.") {
				return true
			}
		}
	}
	return false
}
