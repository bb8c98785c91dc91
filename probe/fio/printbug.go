package fio

import (
	"math"
	"strings"
)

// printBug is the value of label bug for a figure that fio misprinted: before
// 3.26, a fraction that rounds up to one is printed as .0 without the carry, so
// that 11.99 becomes 11.0 (axboe/fio, issue 1117, fixed by pull request 1150).
const printBug = "fio-num2str"

// lostCarry reports whether a figure may have lost its carry this way.
func (q quantity) lostCarry() bool { return q.decimals > 0 && q.fraction == 0 }

// rateOf returns the better of version 3's two forms of a bandwidth: the one with
// more digits, or, if they contradict each other, the one that cannot have lost
// its carry.
func rateOf(binary, decimal quantity) (best quantity, wrong bool) {
	if math.Abs(binary.v-decimal.v) <= 1.001*(binary.rounding+decimal.rounding) {
		if decimal.digits > binary.digits {
			return decimal, false
		}
		return binary, false
	}
	switch {
	case binary.lostCarry() && !decimal.lostCarry():
		return decimal, true
	case decimal.lostCarry() && !binary.lostCarry():
		return binary, true
	case decimal.digits > binary.digits:
		return decimal, false
	}
	return binary, false
}

// mendCounts restores the carry of operations per second: 11.0k becomes 12.0k
// if fio itself counted 12,006.
func (d *direction) mendCounts(version string) {
	if d == nil || d.iopsUnit == 0 || !carriesLate(version) {
		return
	}
	truth := d.iopsMean.v
	if d.ios.set && d.ios.v > 0 && d.runtime.v > 0 {
		truth = d.ios.v / d.runtime.v * 1e3
	}
	if carried := d.iops.v + d.iopsUnit; truth > 0 && math.Abs(truth-carried) < math.Abs(truth-d.iops.v) && math.Abs(truth/carried-1) < .05 {
		d.iops.v, d.iopsWrong = carried, true
	}
}

// carriesLate reports whether a version may have the bug: any 3 before 3.26, or
// an unknown one.
func carriesLate(version string) bool {
	version = strings.TrimPrefix(version, "fio-")
	if version == "" {
		return true
	}
	minor, ok := strings.CutPrefix(version, "3.")
	if !ok {
		return false
	}
	end := 0
	for end < len(minor) && minor[end] >= '0' && minor[end] <= '9' {
		end++
	}
	return end == 1 || end == 2 && minor[:2] < "26"
}
