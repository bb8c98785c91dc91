package run

import "time"

// pace compares the finished slots with the plan. It excludes preparing scratch
// space: that is paid once, by whichever slot comes first.
type pace struct {
	slots          int
	planned, spent time.Duration
}

func (p *pace) add(planned, spent time.Duration) {
	p.slots++
	p.planned += planned
	p.spent += spent
}

// expect returns how long a slot planned to take d will take: d plus the average
// delay of the slots so far. A slow host adds to each slot (shells, tool start-up)
// rather than multiplying it: tools measure for a fixed time.
func (p *pace) expect(d time.Duration) time.Duration {
	if p.slots == 0 {
		return d
	}
	return d + max(p.spent-p.planned, 0)/time.Duration(p.slots)
}

// stretch scales a planned time by the speed of the slots so far.
func (p *pace) stretch(d time.Duration) time.Duration {
	if p.planned <= 0 {
		return d
	}
	return time.Duration(float64(d) * float64(p.spent) / float64(p.planned))
}
