package audit

import (
	"fmt"
	"slices"
	"strings"

	"assay"
)

var smartWarning = Rule{
	ID: "smart-warning", Number: 94, Applies: "smart", Severities: "E W I",
	Title:   "The drive predicts its own failure",
	Formula: "a critical warning other than of the temperature, although the health status is passed: E; attributes at or below their threshold now: E if the drive does not call itself failed already, else W; in the past: W; failed self-tests: E, with a whole test passed since: W; motor starts repeated: W; non-medium errors of a SCSI drive: I",
	Source:  "NVM Express Base Specification, critical warning; ATA/ATAPI SMART thresholds and self-test log; SPC-4, self-test results and non-medium error log; smartmontools 7.4",
	Example: "Reallocated_Sector_Ct 30, threshold 36",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if l.isSMART() {
				found = append(found, l.warnings()...)
			}
		}
		return found
	},
}

func (l look) warnings() []assay.Finding {
	const id = "smart-warning"
	passed, failing, tests := l.values("smart.passed"), l.values("smart.failing_attributes"), l.values("smart.self_test_failures")
	if len(passed) == 0 && len(failing) == 0 && len(tests) == 0 {
		return []assay.Finding{l.unchecked(id, nil, "the drive's verdict on itself", "smartctl -x as root prints it")}
	}
	var found []assay.Finding
	say := func(s assay.Severity, metric, arithmetic, message, advice string) {
		found = append(found, l.finding(id, s, []string{metric}, arithmetic, message, advice))
	}
	if w := l.metricLabel("smart.passed", "critical_warning"); w != "" && w != tooHot && !slices.Contains(passed, 0) {
		say(assay.Rejects, "smart.passed", "critical warning: "+w, "the drive warns of its own failure, whatever its health status says", "back up the data, replace the drive")
	}
	if len(failing) > 0 {
		if now := l.metricLabel("smart.failing_attributes", "now"); slices.Max(failing) > 0 {
			severity := assay.Rejects
			if slices.Contains(passed, 0) {
				severity = assay.Warns // explains the verdict, which rejects already
			}
			say(severity, "smart.failing_attributes", orDefault(now, grouped(slices.Max(failing), 0)+" attributes"),
				"at or below its vendor's threshold: the drive is expected to fail soon", "back up the data, replace the drive")
		}
		if past := l.metricLabel("smart.failing_attributes", "past"); past != "" {
			say(assay.Warns, "smart.failing_attributes", "at or below its threshold in the past: "+past, wasFailing(past), pastAdvice(past))
		}
	} else if news := l.metricLabel("smart.passed", "news"); strings.Contains(news, "at its threshold") {
		say(assay.Warns, "smart.passed", news, "smartctl's exit status says that an attribute is or was at its threshold", "smartctl -A DEVICE shows which")
	}
	found = append(found, l.selfTests(tests)...)
	if v := l.values("smart.spin_retries"); len(v) > 0 && slices.Max(v) > 0 {
		say(assay.Warns, "smart.spin_retries", grouped(slices.Max(v), 0)+" starts of the motor repeated",
			"the motor did not reach its speed at once: a weak power supply, or a motor that wears out", "check the power cable and supply; if it grows, replace the drive")
	}
	if v := l.values("smart.non_medium_errors"); len(v) > 0 && slices.Max(v) > 0 {
		say(assay.Informs, "smart.non_medium_errors", "non-medium errors: "+grouped(slices.Max(v), 0),
			"errors of the protocol or the transport, not of the medium: SAS drives collect some at resets and cabling work", "look again after a week of load; if it grows, check cable, backplane and expander")
	}
	return found
}

// wasFailing explains attributes that were below their thresholds: a
// temperature recovers, a medium does not.
func wasFailing(names string) string {
	if onlyTemperature(names) {
		return "the drive was hotter than its vendor allows at some time"
	}
	return "the drive was expected to fail at some time, and recovered: a counter that was reset, or a fault that came and went"
}

func pastAdvice(names string) string {
	if onlyTemperature(names) {
		return "give it airflow; the counter stays"
	}
	return "keep a backup and run a long self-test: smartctl -t long DEVICE, later smartctl -x DEVICE"
}

func onlyTemperature(names string) bool {
	for name := range strings.SplitSeq(names, ", ") {
		if !strings.Contains(name, "Temp") {
			return false
		}
	}
	return true
}

func (l look) selfTests(failures []float64) []assay.Finding {
	const id, metric = "smart-warning", "smart.self_test_failures"
	if len(failures) == 0 {
		if news := l.metricLabel("smart.passed", "news"); strings.Contains(news, "a self-test failed") {
			return []assay.Finding{l.finding(id, assay.Warns, []string{"smart.passed"}, "a self-test failed", "smartctl's exit status says that the self-test log has errors", "smartctl -l selftest DEVICE shows them")}
		}
		return nil
	}
	if slices.Max(failures) <= 0 {
		return nil
	}
	arithmetic := fmt.Sprintf("%s of %s self-tests failed", grouped(slices.Max(failures), 0), orDefault(l.metricLabel(metric, "tests"), "the drive's"))
	if newest := l.metricLabel(metric, "newest"); newest != "" {
		arithmetic += ", the newest: " + newest
		if hours := l.metricLabel(metric, "hours"); hours != "" {
			arithmetic += " at " + hours + " h"
		}
	}
	if l.metricLabel(metric, "since") == "passed" {
		return []assay.Finding{l.finding(id, assay.Warns, []string{metric}, arithmetic,
			"a whole self-test has passed since: the bad sectors were written again or replaced", "keep a backup, and test again in a month: smartctl -t long DEVICE")}
	}
	return []assay.Finding{l.finding(id, assay.Rejects, []string{metric}, arithmetic,
		"the drive fails its own test: a part of it can't be read or does not work", "back up the data, replace the drive; or scrub, so that the bad sectors are written again, and test again: smartctl -t long DEVICE")}
}
