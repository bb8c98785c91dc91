package audit

import (
	"fmt"
	"strconv"

	"assay"
	"assay/stats"
)

// soaked reports whether the result is from a load meant to heat the machine.
func (l look) soaked() bool {
	for _, metric := range []string{"thermal.throttles", "thermal.load", "thermal.clock.load"} {
		if _, ok := l.median(metric); ok {
			return true
		}
	}
	return false
}

// soak judges such a load by the kernel's throttling counters, or else by the
// clock.
func (l look) soak() []assay.Finding {
	const id = "thermal"
	metrics := []string{"thermal.load", "thermal.clock.load"}
	events, counted := l.median("thermal.throttles")
	if !counted {
		var n int64
		n, _, counted = l.throttles()
		events = float64(n)
	}
	switch {
	case events > 0:
		return []assay.Finding{l.finding(id, assay.Warns, metrics,
			figure(events)+" throttling events during the load", "the CPU throttled: it cannot sustain this with this cooling", "clean or improve the cooling, then measure again")}
	case counted:
		return nil
	}
	hint := "only Intel processors have them (/sys/devices/system/cpu/cpu0/thermal_throttle); on a Raspberry Pi: vcgencmd get_throttled. The clock under load was checked instead"
	if isVirtual(l.facts) {
		hint = "a virtual machine does not show them; check on the host"
	}
	var found []assay.Finding
	for _, r := range l.reps {
		if f, ok := l.clockFell(r); ok {
			found = append(found, l.finding(id, assay.Warns, metrics, f.arithmetic(),
				fmt.Sprintf("the clock fell from %s to %s under load: the CPU is throttling", megahertz(f.early), megahertz(f.late)),
				"clean or improve the cooling, then measure again"))
			break
		}
	}
	return append(found, l.unchecked(id, metrics, "thermal throttling counters", hint))
}

// fall is a clock that fell under load.
type fall struct {
	early, late float64 // Hz, medians of the first and last thirds
	temperature float64 // °C, median of the last third
}

func (f fall) arithmetic() string {
	return fmt.Sprintf("clock %s / %s = %s in the last third of the load relative to the first, against %s, at %.0f °C",
		megahertz(f.late), megahertz(f.early), percent(f.late/f.early), percent(clockFall), f.temperature)
}

func megahertz(hertz float64) string { return grouped(hertz/1e6, 0) + " MHz" }

// clockFell compares the last third of the load with the first. ok is false if
// the clock held, the CPU was not hot, or there is too little data.
func (l look) clockFell(r assay.Repeat) (f fall, ok bool) {
	idle, err := strconv.ParseFloat(orDefault(l.Trial.Settings["idle"], soakIdle), 64)
	length := l.Trial.Length.Seconds()
	clock, temp := r.Measurement("thermal.clock.load"), r.Measurement("thermal.load")
	if err != nil || !(idle >= 0) || !(length > 0) || clock == nil || temp == nil || temp.Labels["kind"] != "cpu" {
		return f, false
	}
	from, to := idle+soakStart, idle+length
	third := (to - from) / 3
	early, late := between(clock.Samples, from, from+third), between(clock.Samples, to-third, to)
	temps := between(temp.Samples, to-third, to)
	if len(early) < soakSamples || len(late) < soakSamples || len(temps) == 0 {
		return f, false
	}
	f = fall{early: stats.Median(early), late: stats.Median(late), temperature: stats.Median(temps)}
	return f, f.early > 0 && f.late > 0 && f.late < clockFall*f.early && f.temperature > soakHot
}

// between returns the values of the samples after from and up to to, in seconds.
func between(samples []assay.Sample, from, to float64) []float64 {
	var found []float64
	for _, s := range samples {
		if s.At > from && s.At <= to && stats.Finite(s.Value) {
			found = append(found, s.Value)
		}
	}
	return found
}
