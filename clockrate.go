package assay

import (
	"cmp"
	"slices"
)

// Boots returns a host's snapshots in the order of time, split wherever the host may have
// been restarted in between: where it has been up for no longer than the time since the
// snapshot before. Counters since boot and uptimes are comparable within each part.
func Boots(looks []Snapshot) [][]Snapshot {
	sorted := slices.SortedStableFunc(slices.Values(looks), func(a, b Snapshot) int {
		return cmp.Or(cmp.Compare(a.Asked, b.Asked), cmp.Compare(a.Clock, b.Clock))
	})
	var boots [][]Snapshot
	for i, s := range sorted {
		if i == 0 || s.Uptime <= s.Answered-sorted[i-1].Asked {
			boots = append(boots, nil)
		}
		last := &boots[len(boots)-1]
		*last = append(*last, s)
	}
	return boots
}

// ClockRate returns bounds on the speed of a host's clock, relative to the clock of the
// querying machine: 0.9 loses six minutes an hour. It divides the clock's gain between the
// first and the last snapshot of each boot by the most and the least time that can have
// passed. ok is false if that is unknown: fewer than two snapshots of one boot, or
// snapshots without stored query times.
func ClockRate(looks []Snapshot) (low, high float64, ok bool) {
	looks = slices.DeleteFunc(slices.Clone(looks), func(s Snapshot) bool {
		return !(s.Asked > 0) || !(s.Answered >= s.Asked) || !(s.Uptime > 0)
	})
	var gained, least, most float64
	for _, boot := range Boots(looks) {
		first, last := boot[0], boot[len(boot)-1]
		if len(boot) > 1 {
			gained, least, most = gained+last.Uptime-first.Uptime, least+last.Asked-first.Answered, most+last.Answered-first.Asked
		}
	}
	if !(gained > 0) || !(least > 0) {
		return 0, 0, false
	}
	return gained / most, gained / least, true
}

// ClockError returns how far 1 is outside the bounds of a rate, with the sign of the
// error: -0.7 for a clock that runs at 0.3 of its speed or less.
func ClockError(low, high float64) float64 {
	switch {
	case low > 1:
		return low - 1
	case high < 1:
		return high - 1
	}
	return 0
}
