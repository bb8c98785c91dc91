package hypotheses

import "math"

// diskThrottled is a limit that the host itself cannot see: of its hypervisor, its
// cloud or a parent cgroup.
var diskThrottled = Hypothesis{
	ID: "disk-throttled", Layer: "storage", Name: "a rate limit that the host can't see", Usual: 8,
	Slows: slows(.75, storage...),
	Clues: []Clue{
		{Ask: steady, If: .9, Else: .25, Says: "its repeats differ by only {own}"},
		{Ask: round, If: .4, Else: .05, Says: "it does {own}, a round figure"},
		unhurried[0], unhurried[1],
	},
	Decides: "fio --iodepth=1 --rate_iops=20 on that host: so few operations are prompt under a limit, and slow on a slow drive",
	Remedy:  "Look for a limit on the disk of {host}: its hypervisor's iotune or mbps= and iops=, io.max of the groups above",
}

// steady asks whether the slow figures are the same in all repeats, as they are under a
// limit.
func steady(s *Suspect) Answer {
	if s.Spread <= 0 {
		return Answer{}
	}
	return Answer{Is: is(s.Spread < .01), Own: tenths(s.Spread)}
}

// round asks whether the slowest figure is a round number per second: within 1 % of 1,
// 2, 2.5 or 5 times a power of ten.
func round(s *Suspect) Answer {
	if s.Figure <= 0 {
		return Answer{}
	}
	digits := s.Figure / math.Pow(10, math.Floor(math.Log10(s.Figure)))
	for _, r := range []float64{1, 2, 2.5, 5, 10} {
		if math.Abs(digits/r-1) < .01 {
			return Answer{Is: Yes, Own: s.FigureText}
		}
	}
	return Answer{Is: No}
}
