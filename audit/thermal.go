package audit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/stats"
)

var thermal = Rule{
	ID: "thermal", Number: 36, Applies: "cpu, memory, storage, thermal, smart", Severities: "W",
	Title:   "Throttled, or still getting warmer",
	Formula: "throttling events counted during a repeat; NVMe time above its limits rising between two looks; or temperature in the second half of the repeats rising > .2 °C/min, by 2 °C or more over a minute or more",
	Source:  "Linux /sys/devices/system/cpu/cpu*/thermal_throttle; NVMe SMART log, warning and critical composite temperature time; the limits are chosen",
	Example: "3 throttling events in 1 of 6 repeats",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		found = append(found, throttleMinutes(e)...)
		for _, l := range e.looks() {
			found = append(found, l.heat()...)
		}
		return found
	},
}

// heat judges the throttling and the temperatures around one result.
func (l look) heat() []assay.Finding {
	const id = "thermal"
	if v, ok := l.median("thermal.throttles"); ok {
		if v > 0 {
			return []assay.Finding{l.finding(id, assay.Warns, []string{"thermal.load", "thermal.clock.load"},
				figure(v)+" throttling events during the load", "the CPU held itself back: what it does here it cannot do cooler or longer", "clean or change the cooling, then measure again")}
		}
		return nil
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
			"the CPU held itself back: the figure is of its cooling", "clean or change the cooling, then measure again"))
	}
	key, slope, span, sensed := l.warming()
	if slope*60 > equilibriumSlope && slope*span >= slopeRise {
		found = append(found, l.finding(id, assay.Warns, metrics,
			fmt.Sprintf("%s rose %.1f °C in %s: %.2f °C/min against %.1f", key, slope*span, seconds(span), slope*60, equilibriumSlope),
			"not at equilibrium: it was still getting warmer", "warm up longer before the first repeat"))
	}
	if !counted && !sensed {
		hint := "modprobe coretemp, k10temp or drivetemp, or look at /sys/devices/system/cpu/cpu0/thermal_throttle"
		if isVirtual(l.facts) {
			hint = "a virtual machine does not show them; look on the host"
		}
		found = append(found, unchecked(id, orDefault(l.Trial.Subject.Host, l.Trial.ID), nil, "throttling counters and temperatures", hint))
	}
	return found
}

// throttles counts the throttling events during the repeats; counted is false
// where the kernel does not count them.
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

// warming finds the sensor of the subject that rises fastest in the second half
// of the repeats, in °C/s, over span seconds. sensed is false where there is no
// sensor, and where the half is too short to tell.
func (l look) warming() (key string, slope, span float64, sensed bool) {
	for _, s := range l.sensors() {
		at, temps := l.temperatures(s)
		if len(at) < 10 {
			continue
		}
		half := (at[0] + at[len(at)-1]) / 2
		from := slices.IndexFunc(at, func(t float64) bool { return t >= half })
		if from < 0 || at[len(at)-1]-at[from] < slopeSpan {
			continue
		}
		v := stats.Slope(at[from:], temps[from:])
		if !stats.Finite(v) {
			continue
		}
		if !sensed || v > slope {
			key, slope, span = s, v, at[len(at)-1]-at[from]
		}
		sensed = true
	}
	return key, slope, span, sensed
}

// sensors are those that sit on what was measured.
func (l look) sensors() []string {
	storage := len(l.directions()) > 0
	drives, _, _ := l.drives()
	var keys []string
	for _, s := range l.facts.Sensors {
		switch {
		case !storage && s.Kind == "cpu":
			keys = append(keys, s.Key)
		case storage && s.Kind == "drive" && slices.ContainsFunc(drives, func(d assay.BlockDevice) bool {
			return d.Name == s.Drive || strings.HasPrefix(d.Name, s.Drive) && s.Drive != ""
		}):
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// temperatures gives one sensor over all counted repeats, by seconds since the
// first of them began, rising.
func (l look) temperatures(key string) (at, temps []float64) {
	var first time.Time
	for _, r := range l.reps {
		if first.IsZero() || r.Started.Before(first) {
			first = r.Started
		}
	}
	type reading struct{ at, temp float64 }
	var all []reading
	for _, r := range l.reps {
		if r.Watch == nil {
			continue
		}
		for _, tick := range r.Watch.Ticks {
			if v, ok := tick.Temps[key]; ok && stats.Finite(v) && stats.Finite(tick.At) {
				all = append(all, reading{r.Started.Sub(first).Seconds() + tick.At, v})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b reading) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	for _, v := range all {
		at, temps = append(at, v.at), append(temps, v.temp)
	}
	return at, temps
}

// throttleMinutes finds drives whose time above their limits grew between two
// looks at their SMART data.
func throttleMinutes(e Evidence) []assay.Finding {
	const metric = "smart.throttle_minutes"
	type seen struct{ least, most float64 }
	bySubject := map[string]seen{}
	var found []assay.Finding
	for _, l := range e.looks() {
		for _, v := range l.values(metric) {
			s, ok := bySubject[l.Trial.Subject.ID]
			if !ok {
				s = seen{v, v}
			}
			bySubject[l.Trial.Subject.ID] = seen{min(s.least, v), max(s.most, v)}
			if ok && v > s.most {
				found = append(found, l.finding("thermal", assay.Warns, []string{"smart.temperature"},
					fmt.Sprintf("%s above the drive's limits, %s before: %s more", seconds(v), seconds(s.most), seconds(v-s.most)),
					"the drive was too hot during this run and may have held itself back", "give it a heat sink or air, then measure again"))
			}
		}
	}
	return found
}
