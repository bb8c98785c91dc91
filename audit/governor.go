package audit

import (
	"fmt"
	"slices"

	"assay"
	"assay/stats"
)

var governor = Rule{
	ID: "governor", Number: 38, Applies: "all", Severities: "W",
	Title:   "The CPU clock is not fixed",
	Formula: "the frequency governor is not performance (reported once per host); or the clock's coefficient of variation during CPU and memory tests on all threads > 3 %",
	Source:  "Linux Documentation/admin-guide/pm/cpufreq.rst; the limit is chosen",
	Example: "governor powersave (intel_pstate)",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		var hosts []string
		for _, l := range e.everyHost() {
			if len(l.headlines()) == 0 {
				continue
			}
			if host := l.Trial.Subject.Host; !slices.Contains(hosts, host) {
				hosts = append(hosts, host)
				found = append(found, governorOf(l, host)...)
			}
			found = append(found, l.clock()...)
		}
		return found
	},
}

func governorOf(l look, host string) []assay.Finding {
	const id = "governor"
	cpu := l.facts.CPU
	switch cpu.Governor {
	case "performance":
		return nil
	case "":
		hint := "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor shows it, if the firmware lets the kernel choose"
		if isVirtual(l.facts) {
			hint = "a virtual machine does not show it; check on the host"
		}
		return []assay.Finding{unchecked(id, orDefault(host, l.Trial.ID), nil, "frequency governor", hint)}
	}
	driver := ""
	if cpu.Driver != "" {
		driver = " (" + cpu.Driver + ")"
	}
	return []assay.Finding{{Rule: id, Severity: assay.Warns, Subject: orDefault(host, l.Trial.ID),
		Arithmetic: "governor " + cpu.Governor + driver,
		Message:    "the clock may follow the load: short and light tests see a slower CPU, and latencies at queue depth 1 rise",
		Advice:     "for the duration of the test: cpupower frequency-set -g performance"}}
}

// clock judges how steady the clock was while the whole CPU was loaded. Only the
// mean over all cores is known, and idle cores wander, as in a single-threaded
// or storage test.
func (l look) clock() []assay.Finding {
	threads, ok := parseCount(l.label("", "threads"))
	if len(l.directions()) > 0 || !ok || threads != l.facts.CPU.Threads {
		return nil
	}
	var clocks []float64
	for _, r := range l.reps {
		if r.Watch == nil {
			continue
		}
		for _, tick := range r.Watch.Ticks {
			// The first and last seconds are partly idle.
			if tick.Clock > 0 && stats.Finite(tick.Clock) && tick.At >= 1 && tick.At <= r.Elapsed.Seconds()-1 {
				clocks = append(clocks, tick.Clock)
			}
		}
	}
	v := stats.CoV(clocks)
	if len(clocks) < clockTicks || !(v > clockCoV) {
		return nil
	}
	return []assay.Finding{l.finding("governor", assay.Warns, l.headlines(),
		fmt.Sprintf("clock %s MHz to %s MHz, standard deviation / mean = %s over %d s against %s", grouped(slices.Min(clocks)/1e6, 0), grouped(slices.Max(clocks)/1e6, 0), percent(v), len(clocks), percent(clockCoV)),
		"the clock changed during the test: turbo, heat or power limits", "fix the clock (cpupower frequency-set -g performance), or measure longer than the turbo window")}
}
