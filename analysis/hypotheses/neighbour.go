package hypotheses

// neighbour is other work on the host.
var neighbour = Hypothesis{
	ID: "neighbour", Layer: "system", Name: "other work on the host", Usual: 10,
	Slows: slows(.5, cpu...).and(.45, memory...).and(.4, storage...).and(.35, rates...).and(.3, RoundTrips, Unsteady, OnEveryNetwork, Warmth),
	Clues: []Clue{
		{Ask: audited("noisy-neighbour"), If: .9, Else: .02, Proves: true},
		{Ask: busiest, If: .7, Else: .02, Says: "{own} used {theirs} of a CPU during the tests"},
		gotLess.so(.4, .2).silent(), worksAll, noneIdle.silent(),
	},
	Decides: "top on that host while assay isn't running",
	Remedy:  "Stop the other work on {host} (top shows it), or measure while the host is idle",
}

// busiest asks whether a process of the host took much CPU time besides the tests.
func busiest(s *Suspect) Answer {
	c := s.counted(s.Host)
	if c.Process == "" {
		return Answer{}
	}
	const much = .2
	most := 0.
	for _, h := range s.Others {
		most = max(most, s.counted(h).Share)
	}
	return Answer{Is: is(c.Share >= much && c.Share >= 3*most), Own: c.Process, Theirs: percent(c.Share)}
}
