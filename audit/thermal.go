package audit

import (
	"fmt"

	"assay"
)

var thermal = Rule{
	ID: "thermal", Number: 36, Applies: "cpu, memory, storage, thermal, smart", Severities: "W",
	Title:   "Throttled, or still warming up",
	Formula: "throttling events counted during a repeat; NVMe time above its temperature limits rising between two readings; the last third of each of at least five repeats (of a single one: its second half) rising > .2 °C/min, by 2 °C or more over a minute or more, several repeats also with a trend (Mann-Kendall p < 5 %); or, if nothing counts throttling, the median clock of the last third of a thermal load < .9 of the first third's above 70 °C",
	Source:  "Linux /sys/devices/system/cpu/cpu*/thermal_throttle; NVMe SMART log, warning and critical composite temperature time; Mann 1945; the limits are a choice",
	Example: "3 throttling events in 1 of 6 repeats",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		found = append(found, throttleMinutes(e)...)
		for _, l := range e.everyHost() {
			found = append(found, l.heat()...)
		}
		return found
	},
}

// heat judges the throttling and the temperatures around one result.
func (l look) heat() []assay.Finding {
	const id = "thermal"
	if l.soaked() {
		return l.soak()
	}
	metrics := l.headlines()
	if len(metrics) == 0 {
		return nil
	}
	var found []assay.Finding
	events, repeats, counted := l.throttles()
	if events > 0 {
		found = append(found, l.finding(id, assay.Warns, metrics,
			fmt.Sprintf("%d throttling events %s", events, inRepeats(repeats, len(l.reps))),
			"the CPU throttled: the figure reflects its cooling", "clean or improve the cooling, then measure again"))
	}
	w, hot, sensed := l.warming()
	if hot {
		found = append(found, l.finding(id, assay.Warns, metrics,
			fmt.Sprintf("%s rose %.1f °C in %s %s: %.2f °C/min against %.1f", w.sensor, w.rise(), seconds(w.span), w.within, w.slope*60, equilibriumSlope),
			"not at thermal equilibrium: it was still warming up", "warm up longer before the first repeat"))
	}
	if !counted && !sensed {
		hint := "modprobe coretemp, k10temp or drivetemp, or check /sys/devices/system/cpu/cpu0/thermal_throttle"
		if isVirtual(l.facts) {
			hint = "a virtual machine does not show them; check on the host"
		}
		found = append(found, unchecked(id, orDefault(l.Trial.Subject.Host, l.Trial.ID), nil, "throttling counters and temperatures", hint))
	}
	return found
}

// throttles counts throttling events during the repeats; counted is false if
// the kernel does not count them.
func (l look) throttles() (events int64, repeats int, counted bool) {
	for _, r := range l.reps {
		if r.Watch == nil || r.Watch.Before.Throttles < 0 || r.Watch.After.Throttles < 0 {
			continue
		}
		counted = true
		if n := r.Watch.After.Throttles - r.Watch.Before.Throttles; n > 0 {
			events, repeats = events+n, repeats+1
		}
	}
	return events, repeats, counted
}

// throttleMinutes finds drives whose time above their limits grew between two
// readings of their SMART data.
func throttleMinutes(e Evidence) []assay.Finding {
	const metric = "smart.throttle_minutes"
	type seen struct{ least, most float64 }
	bySubject := map[string]seen{}
	var found []assay.Finding
	for _, l := range e.looks() {
		for _, v := range l.values(metric) {
			subject := l.Trial.Subject.ID
			if l.foreign() {
				subject = l.Trial.ID // two outputs may be of two drives
			}
			s, ok := bySubject[subject]
			if !ok {
				s = seen{v, v}
			}
			bySubject[subject] = seen{min(s.least, v), max(s.most, v)}
			if ok && v > s.most {
				found = append(found, l.finding("thermal", assay.Warns, []string{"smart.temperature"},
					fmt.Sprintf("%s above the drive's limits, %s before: %s more", seconds(v), seconds(s.most), seconds(v-s.most)),
					"the drive was too hot during this run and may have throttled", "give it a heat sink or airflow, then measure again"))
			}
		}
	}
	return found
}
