package audit

import (
	"fmt"

	"assay"
)

// printedCounts compares what a tool reports as the kernel's counts at the
// device with its own counts.
func (l look) printedCounts(e Evidence, dir string) []assay.Finding {
	const id = "device-reconcile"
	p := "storage." + dir + "."
	tool, counted := l.median(p + "bytes")
	bytes, okBytes := l.median(p + "device.bytes")
	device := orDefault(l.label(dir, "device"), "the device")
	ramp := l.rampShare()
	// Every other kind of device counts what it does, unless it was told not to.
	if oneNVMe.MatchString(device) && l.label(dir, "device_counted") == "nothing" && !l.fromMemory(dir) {
		missing, hint := uncounted(device)
		return []assay.Finding{l.unchecked(id, l.figuresOf(dir), missing, hint)}
	}
	if okBytes && counted && tool > 0 && bytes >= 0 {
		// The kernel counts all jobs of one output together.
		tool = e.together(l, p+"device.bytes", p+"bytes")
		if most := tool * ramp; bytes > tool && bytes <= most*amplified {
			return nil // the kernel counted the ramp time, fio did not
		}
		arithmetic := fmt.Sprintf("%s at %s against %s that the tool %s: %s", volume(bytes), device, volume(tool), did[dir], times(bytes/tool))
		return l.reconciledTo(dir, device, arithmetic, bytes/tool, bytes-tool)
	}
	ios, okIOs := l.median(p + "device.ios")
	own, okOwn := l.median(p + "ios")
	if !okIOs || !okOwn || !(own > 0) || ios < 0 {
		return []assay.Finding{l.unchecked(id, l.figuresOf(dir), "bytes at the device",
			"newer versions of fio print them in their output, as sectors under Disk stats; for other tools: cat /sys/class/block/DEVICE/stat before and after")}
	}
	own = e.together(l, p+"device.ios", p+"ios")
	if ios > own && ios <= own*ramp*amplified {
		return nil
	}
	merges, _ := l.median(p + "device.merges")
	return l.reconciledOperations(dir, device, own, ios, max(merges, 0), e.together(l, p+"device.ios", p+"bytes"))
}

// rampShare returns how much more the kernel counts than fio if ramp_time was set:
// at the same rate, the ramp's time over the measured time, plus 1.
func (l look) rampShare() float64 {
	ramp, ok := parseSeconds(l.label("", "ramp_time"))
	ran, _, known := l.runtime()
	if !ok || !known || !(ran > 0) {
		return 1
	}
	return 1 + ramp/ran
}

// reconciledOperations judges operations if no bytes were printed. Large ones
// are split and buffered ones merged on their way, so only this can be said:
// each direct one reaches the device, and one at the device moves no more than
// it can.
func (l look) reconciledOperations(dir, device string, own, ios, merges, bytes float64) []assay.Finding {
	const id = "device-reconcile"
	metrics := l.figuresOf(dir)
	noun := map[string]string{"read": "reads", "write": "writes"}[dir]
	direct, _ := isOn(l.label(dir, "direct"))
	message, advice := notReached(l, dir)
	switch {
	case direct && ios+merges < reachedOperations*own:
		return []assay.Finding{l.finding(id, assay.Rejects, metrics,
			fmt.Sprintf("%s did %s %s (%s merged) for %s operations: %s each", device, grouped(ios, 0), noun, grouped(merges, 0), grouped(own, 0), figure(ios/own)), message, advice)}
	case ios*largestRequest < reachedOperations*bytes:
		return []assay.Finding{l.finding(id, assay.Rejects, metrics,
			fmt.Sprintf("%s did %s %s, of %s at most: %s, for %s that the tool %s", device, grouped(ios, 0), noun, memory(largestRequest), volume(ios*largestRequest), volume(bytes), did[dir]), message, advice)}
	}
	bs, ok := parseSize(l.label(dir, "bs"))
	if ratio := ios / own; ok && bs <= neverSplit && ratio > amplified && ios-own > excessOperations {
		severity, message := amplifiedBecause(l, dir, ratio)
		return []assay.Finding{l.finding(id, severity, metrics,
			fmt.Sprintf("%s did %s %s for %s operations: %s each", device, grouped(ios, 0), noun, grouped(own, 0), figure(ratio)), message,
			"watch the device's own counters: cat /sys/class/block/"+device+"/stat before and after")}
	}
	return nil
}

// together sums a metric over the results that share l's count at the device:
// the jobs of one output.
func (e Evidence) together(l look, count, metric string) float64 {
	if l.Trial.From == "" {
		v, _ := l.median(metric)
		return v
	}
	shared, _ := l.median(count)
	total := 0.0
	for _, other := range e.looked().outputs[output{l.Trial.From, l.Trial.Subject.Host}] {
		if v, ok := other.median(count); !ok || v != shared {
			continue
		}
		if v, ok := other.median(metric); ok && v > 0 {
			total += v
		}
	}
	return total
}
