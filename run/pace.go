package run

import "time"

// pace is how the slots that are over compare with the plan. What readying scratch
// space took is no part of it: that is paid once, by whichever slot comes first.
type pace struct {
	slots          int
	planned, spent time.Duration
}

func (p *pace) add(planned, spent time.Duration) {
	p.slots++
	p.planned += planned
	p.spent += spent
}

// expect returns how long a slot planned to take d will take: as much longer as the
// slots so far were on average. A slow host adds to each slot (shells, start-up of
// tools) and does not multiply it: tools measure for the time that they are given.
func (p *pace) expect(d time.Duration) time.Duration {
	if p.slots == 0 {
		return d
	}
	return d + max(p.spent-p.planned, 0)/time.Duration(p.slots)
}

// stretch scales a planned time by how fast the slots so far were.
func (p *pace) stretch(d time.Duration) time.Duration {
	if p.planned <= 0 {
		return d
	}
	return time.Duration(float64(d) * float64(p.spent) / float64(p.planned))
}
