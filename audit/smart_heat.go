package audit

import (
	"slices"
	"strings"

	"assay"
)

var smartHeat = Rule{
	ID: "smart-heat", Number: 90, Applies: "smart", Severities: "E W I",
	Title:   "The drive is, or was, too hot",
	Formula: "at or above its trip temperature, or with a critical warning of its temperature: E; time above its critical (NVMe) or highest specified (ATA) temperature > 0: W; above its warning temperature > 0: I, above 1 % of its time powered on: W; a temperature above 70 °C at some time: I; transitions into thermal management: I, with more than 1 % of its time powered on in it: W",
	Source:  "NVM Express Base Specification, warning and critical composite temperature time; ATA device statistics, time in over-temperature; data sheets: disks up to 60 °C, SSDs up to 70; SPC-4, temperature log; 1 % is a choice",
	Example: "718 times into thermal management, 1,476 s of 21,600 s powered on: 6.83 %",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if l.isSMART() {
				found = append(found, l.hot()...)
			}
		}
		return found
	},
}

// minutesOf formats a time as drive logs count it.
func minutesOf(s float64) string { return grouped(s/60, 0) + " minutes" }

func (l look) hot() []assay.Finding {
	const id, metric = "smart-heat", "smart.temperature"
	say := func(s assay.Severity, arithmetic, message string) assay.Finding {
		return l.finding(id, s, []string{metric}, arithmetic, message, "give it a heat sink or airflow, then look whether the time still grows: smartctl -x DEVICE")
	}
	var found []assay.Finding
	now, known := l.median(metric)
	trip, limited := parseFloat(l.metricLabel(metric, "trip"))
	switch {
	case known && limited && now >= trip:
		found = append(found, say(assay.Rejects, figure(now)+" °C against a limit of "+figure(trip)+" °C", "the drive is hotter than its limit, and may switch itself off"))
	case slices.Contains(strings.Split(l.metricLabel("smart.passed", "critical_warning"), ", "), tooHot):
		found = append(found, say(assay.Rejects, "critical warning: "+tooHot, "the drive is outside its temperature limits right now and throttles or is about to"))
	}
	if highest, ok := parseFloat(l.metricLabel(metric, "highest")); ok && highest > hotOnce && len(found) == 0 {
		found = append(found, say(assay.Informs, figure(highest)+" °C at some time", "the drive was hotter than disks (60 °C) and most SSDs (70 °C) may be: its cooling failed once"))
	}
	found = append(found, l.managed(say)...)
	minutes := l.values("smart.throttle_minutes")
	if len(minutes) == 0 {
		if l.label("", "protocol") == "NVMe" {
			found = append(found, l.unchecked(id, nil, "time above the drive's temperature limits", "smartctl -x as root prints it; not every drive counts it"))
		}
		return found
	}
	critical, _ := parseFloat(l.metricLabel("smart.throttle_minutes", "critical"))
	warning, _ := parseFloat(l.metricLabel("smart.throttle_minutes", "warning"))
	on, _ := l.median("smart.power_on_hours")
	switch {
	case critical > 0:
		found = append(found, say(assay.Warns, minutesOf(critical)+" above the critical temperature", "the drive overheated and throttled heavily or shut down; figures from that time reflect its cooling"))
	case warning > 0 && on > 0 && warning > hotShare*on:
		found = append(found, say(assay.Warns, minutesOf(warning)+" above the warning temperature of "+minutesOf(on)+" powered on: "+percent(warning/on), "the drive often runs too hot: sustained figures reflect its cooling"))
	case warning > 0:
		found = append(found, say(assay.Informs, minutesOf(warning)+" above the warning temperature", "the drive has throttled at some time"))
	}
	return found
}

// managed judges how often and how long the drive throttled itself because of
// its temperature.
func (l look) managed(say func(s assay.Severity, arithmetic, message string) assay.Finding) []assay.Finding {
	entered, ok := parseFloat(l.metricLabel("smart.temperature", "throttled"))
	if !ok || !(entered > 0) {
		return nil
	}
	held, _ := parseFloat(l.metricLabel("smart.temperature", "throttled_time"))
	on, known := l.median("smart.power_on_hours")
	arithmetic := grouped(entered, 0) + " times into thermal management"
	if known && on > 0 && held > hotShare*on {
		return []assay.Finding{say(assay.Warns, arithmetic+", "+seconds(held)+" of "+seconds(on)+" powered on: "+percent(held/on),
			"the drive throttles often: sustained figures reflect its cooling")}
	}
	return []assay.Finding{say(assay.Informs, arithmetic+", for "+minutesOf(held), "the drive has throttled because of its temperature")}
}
