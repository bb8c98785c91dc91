package hypotheses

import "maps"

// processBusy is other work that takes enough of the host's CPUs to be worth reporting
// even if no figure shows it, as when all hosts share busy processors.
var processBusy = Hypothesis{
	ID: "process-busy", Layer: "system", Name: "a program that keeps its CPUs busy", Usual: 8, Standing: true,
	Slows: maps.Clone(neighbour.Slows),
	Clues: []Clue{
		{Ask: hogged, If: .98, Else: .001, Proves: true, Says: "its CPUs were busy with other work: {own} used {theirs} of their time during the tests"},
		gotLess.so(.4, .2).silent(), worksAll, noneIdle.silent(),
	},
	Decides: "top on that host while assay isn't running",
	Remedy:  "Stop the other work on {host} (top shows it), or measure while the host is idle",
}

// hogged asks whether a program besides the tests took a fifth of the time of all the
// host's CPUs, and three times what any took on the others.
func hogged(s *Suspect) Answer {
	const much = .2
	own, known := hog(s, s.Host)
	if !known {
		return Answer{}
	}
	most := 0.
	for _, h := range s.Others {
		theirs, _ := hog(s, h)
		most = max(most, theirs)
	}
	return Answer{Is: is(own >= much && own >= 3*most), Own: s.counted(s.Host).Process, Theirs: percent(min(own, 1))}
}

// hog returns the share of all its CPUs that a host's busiest program took besides
// the tests.
func hog(s *Suspect, host string) (share float64, known bool) {
	cpus := s.Facts[host].CPU.Usable
	if cpus == 0 {
		cpus = s.Facts[host].CPU.Threads
	}
	c, counted := s.Counted[host]
	if cpus <= 0 || !counted || c.Share < 0 {
		return 0, false
	}
	return c.Share / float64(cpus), true // no program means that none is busy
}
