package audit

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
	"assay/stats"
)

var bwIOPSBs = Rule{
	ID: "bw-iops-bs", Number: 22, Applies: "fio, rados, sysbench memory", Severities: "E",
	Title:   "Bandwidth is not IOPS times block size",
	Formula: "|bandwidth / (IOPS x block) - 1| > .5 % + the rounding of the printed IOPS and bandwidth, + depth x jobs / operations where fio had a ramp_time, because it counts an operation when it is submitted and its bytes when it completes; a ratio within .002 (and that rounding) of a power of 1.024 is a mix-up of decimal and binary units; sysbench memory: the printed rate is more than 25 % from the bytes transferred / the total time",
	Source:  "arithmetic: both are counts of the same operations",
	Example: "22.7 MB/s against 22.7 IOPS x 1.00 MiB = 23.8 MB/s: 0.955 x",
	Check: func(e Evidence) []assay.Finding {
		const id = "bw-iops-bs"
		var found []assay.Finding
		for _, l := range e.storage() {
			for _, dir := range l.directions() {
				iops, bandwidth := "storage."+dir+".iops", "storage."+dir+".bandwidth"
				if !l.positive(iops) || !l.positive(bandwidth) {
					continue // one alone cannot disagree
				}
				metrics := []string{iops, bandwidth}
				bs, ok := parseSize(l.label(dir, "bs"))
				if !ok {
					found = append(found, l.unchecked(id, metrics, "block size", "the tool's command line has it"))
					continue
				}
				if f := l.againstBlock(metrics, float64(bs)); f != nil {
					found = append(found, *f)
				}
			}
		}
		for _, l := range e.looks() {
			if f := l.againstAmount(); f != nil {
				found = append(found, *f)
			}
			for _, op := range []string{"write", "read"} {
				metrics := []string{"pool." + op + ".iops", "pool." + op + ".bandwidth"}
				bs, ok := l.operationSize()
				if !ok || !l.positive(metrics[0]) || !l.positive(metrics[1]) {
					continue // a pool's figures without a size are judged by their own rules
				}
				if f := l.againstBlock(metrics, float64(bs)); f != nil {
					found = append(found, *f)
				}
			}
		}
		return found
	},
}

// againstAmount finds a memory rate that contradicts the amount and time beside it, nil if
// none does.
func (l look) againstAmount() *assay.Finding {
	moved, ok := parseFloat(l.label("", "moved"))
	ran, timed := l.median("tool.duration")
	for _, metric := range []string{"memory.read.bandwidth", "memory.write.bandwidth"} {
		v, known := l.median(metric)
		if !ok || !timed || !known || !(moved > 0) || !(ran > 0) || !(v > 0) {
			continue
		}
		f := l.finding("bw-iops-bs", assay.Rejects, []string{metric},
			fmt.Sprintf("%s against %s / %s = %s: %s", rate(v), volume(moved), seconds(ran), rate(moved/ran), times(v*ran/moved)),
			"the rate contradicts the amount and the time: one of them was typed or changed by hand", "take it from the tool's raw output, or measure again: "+l.longer(againRuntime))
		return &f
	}
	return nil
}

// operationSize returns how many bytes one operation on a pool moves.
func (l look) operationSize() (int64, bool) {
	for _, key := range []string{"bs", "size", "object_size"} {
		if n, ok := parseSize(l.label("", key)); ok {
			return n, true
		}
	}
	return 0, false
}

func (l look) againstBlock(metrics []string, bs float64) *assay.Finding {
	var ratios []float64
	worst, sum := -1.0, ""
	slack := bwSlack
	for _, r := range l.reps {
		iops, okIOPS := value(r, metrics[0])
		bandwidth, okBandwidth := value(r, metrics[1])
		if !okIOPS || !okBandwidth || iops <= 0 || bandwidth <= 0 {
			continue
		}
		ratio := bandwidth / (iops * bs)
		ratios = append(ratios, ratio)
		slack = max(slack, bwSlack+lostIn(r, metrics[0], printRounding)+lostIn(r, metrics[1], rateRounding)+l.fromTheRamp(metrics[0]))
		if gap := math.Abs(ratio - 1); gap > worst {
			worst, sum = gap, fmt.Sprintf("%s against %s IOPS x %s = %s: %s", rate(bandwidth), figure(iops), memory(bs), rate(iops*bs), times(ratio))
		}
	}
	ratio := stats.Median(ratios)
	if !(math.Abs(ratio-1) > slack) {
		return nil
	}
	message, advice := "the two figures do not count the same operations", "check the tool's raw output: one of them was calculated by hand or belongs to another block size"
	if mixed := unitsMixedUp(ratio, slack-bwSlack); mixed != "" {
		message, advice = "a mix-up of units: "+mixed, "state the unit: MB is 1,000,000 B, MiB is 1,048,576 B"
	}
	f := l.finding("bw-iops-bs", assay.Rejects, metrics, sum, message, advice)
	return &f
}

// fromTheRamp returns the share of a run's operations that may have been submitted
// before fio began to count and completed after: those in flight when its ramp time
// ended. At the end of a run, fio waits for all.
func (l look) fromTheRamp(iops string) float64 {
	if l.label("", "tool") != "fio" || !l.mayRamp() {
		return 0
	}
	depth, known := parseCount(orDefault(l.label("", "requested_iodepth"), l.label("", "iodepth")))
	jobs, _ := parseCount(l.label("", "jobs"))
	done, counted := l.operations(strings.TrimSuffix(strings.TrimPrefix(iops, "storage."), ".iops"))
	if !known || !counted || !(done > 0) {
		return 0
	}
	return float64(depth*max(jobs, 1)) / done
}

// lostIn returns the share of a figure that printing may have rounded away: its
// parser gives it in the label rounding, in the figure's own unit, else it is
// guessed from the value.
func lostIn(r assay.Repeat, metric string, guess func(float64) float64) float64 {
	m := r.Measurement(metric)
	if m == nil || !(m.Value > 0) {
		return 0
	}
	if off, err := strconv.ParseFloat(m.Labels["rounding"], 64); err == nil && off >= 0 && stats.Finite(off) {
		return off / m.Value
	}
	return guess(m.Value)
}

// printRounding returns the share that a printed IOPS figure may leave out. From
// ten thousand on, whole hundreds are assumed to be printed in k with a decimal,
// and from a hundred thousand on whole thousands in k without: half of that.
// Other whole numbers may be truncated, as fio does, and miss up to one; numbers
// with one decimal are rounded to a tenth. More decimals leave out nothing that
// matters.
func printRounding(iops float64) float64 {
	switch {
	case !(iops > 0):
		return 0
	case iops >= 100_000 && isMultiple(iops, 1000):
		return 500 / iops
	case iops >= 10_000 && isMultiple(iops, 100):
		return 50 / iops
	case isMultiple(iops, 1):
		return 1 / iops
	case isMultiple(iops, .1):
		return .05 / iops
	}
	return 0
}

// rateRounding returns half of the last digit of a printed bandwidth, as a
// share, in the unit that gives it the fewest digits.
func rateRounding(bandwidth float64) float64 {
	for _, unit := range []float64{1 << 30, 1e9, 1 << 30 / 10., 1e8, 1 << 20, 1e6, 1 << 20 / 10., 1e5, 1 << 10, 1e3} {
		if bandwidth >= unit*fewestDigits && isMultiple(bandwidth, unit) {
			return .5 * unit / bandwidth
		}
	}
	return 0
}

// isMultiple tolerates what binary fractions cannot represent.
func isMultiple(v, unit float64) bool {
	n := v / unit
	return math.Abs(n-math.Round(n)) < 1e-9*max(n, 1)
}

// unitsMixedUp returns the prefixes whose mix-up yields a ratio that is a power
// of 1.024, if the prints may be off by rounding.
func unitsMixedUp(ratio, rounding float64) string {
	for i, pair := range []string{"kB and KiB", "MB and MiB", "GB and GiB"} {
		power := math.Pow(1.024, float64(i+1))
		near := unitMixUp + min(rounding, unitMixUp)
		if math.Abs(ratio-power) <= near || math.Abs(ratio-1/power) <= near {
			return pair
		}
	}
	return ""
}
