package audit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/stats"
)

var noisyNeighbour = Rule{
	ID: "noisy-neighbour", Number: 39, Applies: "all", Severities: "W",
	Title:   "The machine was not idle",
	Formula: "median over the repeats: stolen CPU time > 1 % of all CPU time; CPU time of processes other than the tool (user + nice + system - kernel threads - tool) > 5 % of all; where that is not known, tasks waited for a CPU (PSI cpu some) > 10 % of the time while the tool used less than half of all CPU time; bytes at the drive in the direction the tool did not use > 2 % of the tool's (and > 4 MiB)",
	Source:  "Linux Documentation/filesystems/proc.rst, /proc/stat; Documentation/block/stat.rst; Documentation/accounting/psi.rst; the limits are a choice",
	Example: "stolen 1.20 s of 20.0 s of CPU time = 6.00 %",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.everyHost() {
			if len(l.headlines()) > 0 {
				found = append(found, l.neighbours()...)
			}
		}
		return found
	},
}

// share is a part of a whole in one repeat.
type share struct {
	part, whole float64
}

func (l look) neighbours() []assay.Finding {
	const id = "noisy-neighbour"
	var stolen, foreign []share
	for _, r := range l.reps {
		if s, ok := stolenTime(r.Watch); ok {
			stolen = append(stolen, s)
		}
		if s, ok := foreignTime(r.Watch); ok {
			foreign = append(foreign, s)
		}
	}
	if len(stolen) == 0 && l.foreign() {
		return []assay.Finding{l.unchecked(id, nil, "other load on the machine", "no benchmark's output shows it; assay run measures again and watches the kernel's counters")}
	}
	if len(stolen) == 0 {
		return []assay.Finding{l.unchecked(id, nil, "kernel's counters around the repeats", "assay run reads them; imported output has none")}
	}
	var found []assay.Finding
	say := func(arithmetic, message, advice string) {
		found = append(found, l.finding(id, assay.Warns, l.headlines(), arithmetic, message, advice))
	}
	if text, over := overShare(stolen, stealLimit); over {
		say("stolen "+text, "the hypervisor gave this machine's CPU time to other guests", "move the other guests away, or give this one dedicated CPUs")
	}
	if text, over := overShare(foreign, foreignCPU); over {
		found = append(found, l.busy("other processes used "+text))
	}
	if text, over := l.foreignIO(); over {
		say(text, "something else used the drive", "find what else uses the drive (iotop -obt), stop it and measure again")
	}
	waited := l.waitedForCPU()
	switch {
	case len(foreign) > 0:
	case waited > waitedForCPU:
		found = append(found, l.busy(fmt.Sprintf("tasks waited for a CPU for %s of the time (median), over %s, while the tool used less than half of the CPU time", percent(waited), percent(waitedForCPU))))
	default:
		found = append(found, l.unchecked(id, nil, "CPU time of the tool and of kernel threads", "it is not available over this connection; run on the host itself"))
	}
	return found
}

// busy reports that something else was running, and which processes used most of
// that CPU time.
func (l look) busy(arithmetic string) assay.Finding {
	message, find := "something else was running", "find what else runs (top -b -n 1, systemctl list-timers), stop it"
	if names := l.busiest(); names != "" {
		message, find = message+"; the busiest processes besides the tool: "+names, "find out what started these processes (systemctl status PID, systemctl list-timers), stop them"
	}
	return l.finding("noisy-neighbour", assay.Warns, l.headlines(), arithmetic, message, find+" and measure again")
}

// busiest names the processes that used most CPU time over all repeats, each
// with its maximum in one repeat.
func (l look) busiest() string {
	most := map[string]float64{}
	for _, r := range l.watched() {
		for _, p := range r.Watch.Busiest {
			if stats.Finite(p.CPU) && p.CPU > 0 {
				most[p.Name] = max(most[p.Name], p.CPU)
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(most), func(a, b string) int {
		return cmp.Or(cmp.Compare(most[b], most[a]), cmp.Compare(a, b))
	})
	var words []string
	for _, name := range names[:min(len(names), 3)] {
		words = append(words, fmt.Sprintf("%s (up to %s of CPU time a repeat)", name, seconds(most[name])))
	}
	return strings.Join(words, ", ")
}

// waitedForCPU returns the median share of time in which some task waited for a CPU,
// over the repeats in which the tool used less than half of all CPU time: a tool
// with more threads than CPUs waits for itself. It is NaN if there is no such
// repeat.
func (l look) waitedForCPU() float64 {
	var shares []float64
	for _, r := range l.watched() {
		a, b := r.Watch.Before, r.Watch.After
		whole, lasted := b.CPU.Total()-a.CPU.Total(), b.Uptime-a.Uptime
		if a.Pressure == nil || b.Pressure == nil || r.Watch.ToolCPU < 0 || !(r.Watch.ToolCPU < halfOfCPUs*whole) || !(lasted > 0) {
			continue
		}
		if v := (b.Pressure.CPU - a.Pressure.CPU) / lasted; stats.Finite(v) {
			shares = append(shares, v)
		}
	}
	return stats.Median(shares)
}

// overShare reports whether the median share is above limit, and formats the
// worst.
func overShare(all []share, limit float64) (text string, over bool) {
	var shares []float64
	worst, k := share{}, 0
	for _, s := range all {
		v := s.part / s.whole
		shares = append(shares, v)
		if v > limit {
			k++
		}
		if worst.whole == 0 || v > worst.part/worst.whole {
			worst = s
		}
	}
	if !(stats.Median(shares) > limit) {
		return "", false
	}
	return fmt.Sprintf("%s of %s of CPU time = %s at worst, median %s; over %s %s", seconds(worst.part), seconds(worst.whole), percent(worst.part/worst.whole),
		percent(stats.Median(shares)), percent(limit), inRepeats(k, len(all))), true
}

// stolenTime returns the CPU time that the hypervisor stole.
func stolenTime(w *assay.Watch) (share, bool) {
	if w == nil {
		return share{}, false
	}
	s := share{w.After.CPU.Steal - w.Before.CPU.Steal, w.After.CPU.Total() - w.Before.CPU.Total()}
	return s, s.whole > 0 && stats.Finite(s.whole) && stats.Finite(s.part)
}

// foreignTime returns the CPU time of processes other than the tool and kernel
// threads, which also work for the tool. Kernel threads with no CPU time since boot
// were invisible: a container has its own process table, but the whole machine's CPU
// time. Threads that exit take their time with them: if the sum fell, what they used
// is unknown.
func foreignTime(w *assay.Watch) (share, bool) {
	if w == nil || w.Before.Kernel <= 0 || w.After.Kernel <= 0 || w.After.Kernel < w.Before.Kernel || w.ToolCPU < 0 {
		return share{}, false
	}
	a, b := w.Before.CPU, w.After.CPU
	busy := b.User - a.User + b.Nice - a.Nice + b.System - a.System
	s := share{max(busy-(w.After.Kernel-w.Before.Kernel)-w.ToolCPU, 0), b.Total() - a.Total()}
	return s, s.whole > 0 && stats.Finite(s.whole) && stats.Finite(s.part)
}

// foreignIO checks the direction that a pure read or write did not use. A tool
// that copies a source file uses both.
func (l look) foreignIO() (text string, over bool) {
	dirs := l.directions()
	if len(dirs) != 1 || l.warm(dirs[0]) || l.label("", "source") != "" {
		return "", false
	}
	device, missing, _ := l.device()
	if missing != "" {
		return "", false // device-reconcile names it
	}
	other := map[string]string{"read": "written", "write": "read"}[dirs[0]]
	var shares, foreign, own []float64
	for _, r := range l.reps {
		tool, ok := value(r, "storage."+dirs[0]+".bytes")
		counts, seen := r.Watch.Device(device)
		if !ok || !seen || tool <= 0 {
			continue
		}
		bytes := float64(counts.WriteBytes)
		if dirs[0] == "write" {
			bytes = float64(counts.ReadBytes)
		}
		shares, foreign, own = append(shares, bytes/tool), append(foreign, bytes), append(own, tool)
	}
	if !(stats.Median(shares) > foreignBytes) || !(stats.Median(foreign) > excessNoise) {
		return "", false
	}
	i := middle(shares, true)
	return strings.Join([]string{volume(foreign[i]), other, "at", device, "besides", volume(own[i]), "of the tool =", percent(shares[i])}, " "), true
}
