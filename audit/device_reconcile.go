package audit

import (
	"fmt"
	"strings"

	"assay"
	"assay/stats"
)

var deviceReconcile = Rule{
	ID: "device-reconcile", Number: 15, Applies: "fio, dd", Severities: "E W I",
	Title:   "What the tool says against what the drive got",
	Formula: "bytes at the device / bytes the tool claims, median over the repeats: < .95 E; > 1.2 W, but up to 4 for synchronous writes I. Figures that say they come from a warm cache are exempt",
	Source:  "Linux Documentation/block/stat.rst: sectors of 512 B read and written since boot, before and after each repeat",
	Example: "221 MB at sda against 33.9 MB that the tool wrote: 6.50 x",
	Check:   checkDevice,
}

// reconciled is what the kernel and the tool counted, over the repeats.
type reconciled struct {
	ratios      []float64
	device      float64 // B, of the median repeat
	tool        float64
	excess      float64 // B, device - tool, median
	deviceName  string
	missing     string
	missingHint string
}

// reconcile holds the kernel's bytes against the tool's, in one direction.
func (l look) reconcile(dir string) reconciled {
	var r reconciled
	if r.deviceName, r.missing, r.missingHint = l.device(); r.missing != "" {
		return r
	}
	var device, tool, excess []float64
	claimed := false
	for _, rep := range l.reps {
		bytes, ok := value(rep, "storage."+dir+".bytes")
		if !ok || bytes <= 0 {
			continue
		}
		claimed = true
		counts, ok := rep.Watch.Device(r.deviceName)
		moved := float64(counts.ReadBytes)
		if dir == "write" {
			moved = float64(counts.WriteBytes)
		}
		if !ok || moved < 0 {
			continue
		}
		r.ratios = append(r.ratios, moved/bytes)
		device, tool, excess = append(device, moved), append(tool, bytes), append(excess, moved-bytes)
	}
	switch {
	case !claimed:
		r.missing, r.missingHint = "bytes that the tool moved", "fio --output-format=json prints them"
	case len(r.ratios) == 0:
		r.missing, r.missingHint = "kernel's counters of "+r.deviceName+" around the repeats", "assay run reads them; an imported output has none"
	}
	r.device, r.tool, r.excess = stats.Median(device), stats.Median(tool), stats.Median(excess)
	return r
}

func checkDevice(e Evidence) []assay.Finding {
	const id = "device-reconcile"
	var found []assay.Finding
	for _, l := range e.storage() {
		for _, dir := range l.directions() {
			if l.warm(dir) {
				continue // that no byte came from the drive is what was asked
			}
			r := l.reconcile(dir)
			metrics := l.figuresOf(dir)
			if r.missing != "" {
				found = append(found, l.unchecked(id, metrics, r.missing, r.missingHint))
				continue
			}
			ratio, verb := stats.Median(r.ratios), map[string]string{"read": "read", "write": "wrote"}[dir]
			arithmetic := fmt.Sprintf("%s at %s against %s that the tool %s: %s", volume(r.device), r.deviceName, volume(r.tool), verb, times(ratio))
			if n := len(r.ratios); n > 1 {
				arithmetic += fmt.Sprintf(" (median of %d repeats)", n)
			}
			switch {
			case ratio < reachedDevice:
				message, advice := notReached(l, dir)
				found = append(found, l.finding(id, assay.Rejects, metrics, arithmetic, message, advice))
			case ratio > amplified && r.excess > excessNoise:
				severity, message := amplifiedBecause(l, dir, ratio)
				found = append(found, l.finding(id, severity, metrics, arithmetic, message,
					"watch the device's own counters: cat /sys/class/block/"+r.deviceName+"/stat before and after"))
			}
		}
	}
	return found
}

func notReached(l look, dir string) (message, advice string) {
	again := l.again(dir, map[string]string{"direct": "1"})
	switch {
	case dir == "write":
		return "part of it never reached the device: it was still in memory when the clock stopped", "use direct I/O, or end with a flush: " + again + " --end_fsync=1"
	case strings.HasPrefix(l.label(dir, "cache"), "cold"):
		return "the cache was not cold: part of it never came from the device", "drop the caches as root right before the read: sync; echo 3 > /proc/sys/vm/drop_caches"
	}
	return "part of it never came from the device: this is a cache", "use direct I/O: " + again
}

// amplifiedBecause says what multiplies the bytes, and whether that is worth a
// warning.
func amplifiedBecause(l look, dir string, ratio float64) (severity assay.Severity, message string) {
	by := fmt.Sprintf("amplified x %s: ", strings.TrimSuffix(times(ratio), " x"))
	switch {
	case dir == "read":
		return assay.Warns, by + "read-ahead, parity or somebody else read as well"
	case l.durable() && ratio < syncAmplified:
		return assay.Informs, by + "normal for synchronous writes: each one makes the file system's journal write too, so the figure is of the drive and the file system together"
	case l.durable():
		return assay.Warns, by + "more than the journal's share of synchronous writes: parity, copy-on-write, replication or somebody else wrote as well"
	}
	return assay.Warns, by + "journal, parity, copy-on-write or somebody else wrote as well"
}

// durable says that every write was flushed.
func (l look) durable() bool {
	sync, fsync := l.flushesEach()
	return sync || fsync
}

// figuresOf names the figures of one direction that a reader sees.
func (l look) figuresOf(dir string) []string {
	var found []string
	for _, metric := range []string{"storage." + dir + ".iops", "storage." + dir + ".bandwidth"} {
		if l.positive(metric) {
			found = append(found, metric)
		}
	}
	return found
}
