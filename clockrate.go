package assay

// ClockRate returns bounds on the speed of a host's clock, relative to the clock of the
// querying machine: 0.9 loses six minutes an hour. It divides the clock's gain between the
// first and the last snapshot by the most and the least time that can have passed. ok is
// false if that is unknown: fewer than two snapshots, snapshots without stored query times,
// or a host that was restarted.
func ClockRate(looks []Snapshot) (low, high float64, ok bool) {
	var first, last *Snapshot
	for i := range looks {
		s := &looks[i]
		if !(s.Asked > 0) || !(s.Answered >= s.Asked) || !(s.Uptime > 0) {
			continue
		}
		if first == nil || s.Asked < first.Asked {
			first = s
		}
		if last == nil || s.Answered > last.Answered {
			last = s
		}
	}
	if first == nil || first == last {
		return 0, 0, false
	}
	gained, least, most := last.Uptime-first.Uptime, last.Asked-first.Answered, last.Answered-first.Asked
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
