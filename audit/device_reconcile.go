package audit

import (
	"fmt"
	"strings"

	"assay"
	"assay/stats"
)

var deviceReconcile = Rule{
	ID: "device-reconcile", Number: 15, Applies: "fio, dd", Severities: "E W I",
	Title:   "What the tool claims against what reached the drive",
	Formula: "bytes at the device / bytes the tool claims, median over the repeats: < .95 E; > 1.2 W, but up to 4 for synchronous writes I. For imported output the bytes are those of fio's Disk stats; where it printed only operations: with direct I/O, fewer than half reached the device, or they could not have carried half of the bytes at 32 MiB each: E; more than 1.2 per operation of up to 64 KiB: W, up to 4 for synchronous writes I. fio's ramp_time, which the kernel counts and fio does not, is allowed for. A device at which nothing at all was counted, since boot or, in imported output on NVMe, during the run, shows nothing, unless random reads took less than 5 µs. Figures marked as coming from a warm cache are exempt",
	Source:  "Linux Documentation/block/stat.rst: sectors of 512 B read and written since boot, before and after each repeat; an ATA command moves at most 65,535 sectors",
	Example: "221 MB at sda against 33.9 MB that the tool wrote: 6.50 x",
	Check:   checkDevice,
}

// reconciled holds what the kernel and the tool counted, over the repeats.
type reconciled struct {
	ratios      []float64
	device      []float64 // B, like ratios
	tool        []float64
	excess      float64 // B, device - tool, median
	deviceName  string
	missing     string
	missingHint string
}

// reconcile compares the kernel's bytes with the tool's, in one direction.
func (l look) reconcile(dir string) reconciled {
	var r reconciled
	if r.deviceName, r.missing, r.missingHint = l.device(); r.missing != "" {
		return r
	}
	var excess []float64
	claimed, counts := false, false
	for _, rep := range l.reps {
		bytes, ok := value(rep, "storage."+dir+".bytes")
		if !ok || bytes <= 0 {
			continue
		}
		claimed = true
		during, ok := rep.Watch.Device(r.deviceName)
		moved := float64(during.ReadBytes)
		if dir == "write" {
			moved = float64(during.WriteBytes)
		}
		if !ok || moved < 0 {
			continue
		}
		counts = counts || rep.Watch.After.Devices[r.deviceName] != assay.DeviceCounts{}
		r.ratios = append(r.ratios, moved/bytes)
		r.device, r.tool, excess = append(r.device, moved), append(r.tool, bytes), append(excess, moved-bytes)
	}
	switch {
	case !claimed:
		r.missing, r.missingHint = "bytes the tool moved", "fio --output-format=json prints them"
	case len(r.ratios) == 0:
		r.missing, r.missingHint = "kernel's counters of "+r.deviceName+" around the repeats", "assay run reads them; imported output has none"
	case !counts && !l.fromMemory(dir):
		r.missing, r.missingHint = uncounted(r.deviceName)
	}
	r.excess = stats.Median(excess)
	return r
}

// uncounted returns what is missing if the kernel counted nothing in either direction at a
// device that must have been used: it counts somewhere else, or not at all.
func uncounted(device string) (missing, hint string) {
	at := "the devices under it"
	if oneNVMe.MatchString(device) {
		at = "the paths of native NVMe multipath (/sys/class/block/nvme*c*n*/stat), as older kernels do"
	}
	return "bytes that reached " + device, "the kernel counted nothing there: perhaps it counts at " + at + ", or counting is off (/sys/class/block/" + device + "/queue/iostats)"
}

// fromMemory reports whether random reads were faster than any drive: no counter is needed
// to show that memory answered them.
func (l look) fromMemory(dir string) bool {
	latency, ok := l.median("storage." + dir + ".latency.mean")
	return ok && dir == "read" && isRandom(l.label(dir, "pattern")) && latency > 0 && latency < cachedRead
}

func checkDevice(e Evidence) []assay.Finding {
	const id = "device-reconcile"
	var found []assay.Finding
	for _, l := range e.storage() {
		for _, dir := range l.directions() {
			if l.warm(dir) {
				continue // no byte was meant to come from the drive
			}
			metrics := l.figuresOf(dir)
			if l.foreign() {
				found = append(found, l.printedCounts(e, dir)...)
				continue
			}
			r := l.reconcile(dir)
			if r.missing != "" {
				found = append(found, l.unchecked(id, metrics, r.missing, r.missingHint))
				continue
			}
			ratio := stats.Median(r.ratios)
			i := middle(r.ratios, ratio > 1)
			arithmetic := fmt.Sprintf("%s at %s against %s that the tool %s: %s", volume(r.device[i]), r.deviceName, volume(r.tool[i]), did[dir], times(r.ratios[i]))
			if n := len(r.ratios); n > 1 {
				arithmetic += fmt.Sprintf(" (median of %d repeats)", n)
			}
			found = append(found, l.reconciledTo(dir, r.deviceName, arithmetic, ratio, r.excess)...)
		}
	}
	return found
}

// did is the past tense of each direction.
var did = map[string]string{"read": "read", "write": "wrote"}

// reconciledTo judges the ratio of bytes at the device to those of the tool,
// given the excess in bytes.
func (l look) reconciledTo(dir, device, arithmetic string, ratio, excess float64) []assay.Finding {
	const id = "device-reconcile"
	switch {
	case ratio < reachedDevice:
		message, advice := notReached(l, dir)
		return []assay.Finding{l.finding(id, assay.Rejects, l.figuresOf(dir), arithmetic, message, advice)}
	case ratio > amplified && excess > excessNoise:
		severity, message := amplifiedBecause(l, dir, ratio)
		return []assay.Finding{l.finding(id, severity, l.figuresOf(dir), arithmetic, message,
			"watch the device's own counters: cat /sys/class/block/"+device+"/stat before and after")}
	}
	return nil
}

func notReached(l look, dir string) (message, advice string) {
	again := l.again(dir, nil)
	if direct, _ := isOn(l.label(dir, "direct")); direct {
		// It was already direct: the file must outgrow whatever is in between.
		again = l.again(dir, map[string]string{"size": twiceRAM(l.facts)})
	}
	switch {
	case dir == "write":
		return "part of the data never reached the device: it was still in memory when the clock stopped", "use direct I/O on a file too large for any cache: " + again
	case strings.HasPrefix(l.label(dir, "cache"), "cold"):
		return "the cache was not cold: part of the data never came from the device", l.dropCaches(again)
	}
	return "part of the data never came from the device: this measures a cache", "use direct I/O: " + again
}

// amplifiedBecause returns what multiplies the bytes, and whether that deserves
// a warning.
func amplifiedBecause(l look, dir string, ratio float64) (severity assay.Severity, message string) {
	by := fmt.Sprintf("amplified x %s: ", strings.TrimSuffix(times(ratio), " x"))
	switch {
	case dir == "read":
		return assay.Warns, by + "read-ahead, parity or another process added reads"
	case l.foreign() && l.label("write", "sync") == "" && ratio < syncAmplified:
		return assay.Informs, by + "normal if the writes were synchronous, which the output does not say; otherwise a journal, parity, copy-on-write or another process added writes"
	case l.durable() && ratio < syncAmplified:
		return assay.Informs, by + "normal for synchronous writes: each one also writes to the file system's journal, so the figure is for drive and file system together"
	case l.durable():
		return assay.Warns, by + "more than the journal adds to synchronous writes: parity, copy-on-write, replication or another process wrote too"
	}
	return assay.Warns, by + "a journal, parity, copy-on-write or another process added writes"
}

// durable reports whether every write was flushed.
func (l look) durable() bool {
	sync, fsync := l.flushesEach()
	return sync || fsync
}

// figuresOf returns the figures of one direction that a reader sees.
func (l look) figuresOf(dir string) []string {
	var found []string
	for _, metric := range []string{"storage." + dir + ".iops", "storage." + dir + ".bandwidth"} {
		if l.positive(metric) {
			found = append(found, metric)
		}
	}
	return found
}
