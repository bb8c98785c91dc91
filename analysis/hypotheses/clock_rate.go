package hypotheses

import (
	"fmt"
	"math"
)

// wrongClock is a clock rate error larger than any synchronisation causes.
const wrongClock = .02

// clockRate is a clock that runs at the wrong speed. Everything the host measures with it is
// off by as much.
var clockRate = Hypothesis{
	ID: "clock-rate", Layer: "system", Name: "a clock that runs at the wrong speed", Usual: 2, Standing: true,
	Clues:   []Clue{{Ask: badClock, If: .97, Else: .0002, Proves: true, Says: "its clock runs at {own} of real time, and what it measures is wrong by as much"}},
	Decides: "the time on that host and on another, twice, a minute apart",
	Remedy: "Find out why the clock of {host} does not keep time: too little CPU time for a guest (vmstat 1, column st), or its clock source " +
		"(/sys/devices/system/clocksource/clocksource0/current_clocksource)",
}

// stoodStill is the share of real time that a guest's clock may lose before its processors
// are taken to stand still: oscillators and clock sources are never that far off.
const stoodStill = .2

// guestStopped is a guest whose processors the hypervisor does not run for much of the
// time. Its clock stops with them, so it may look faster than the others.
var guestStopped = Hypothesis{
	ID: "guest-stopped", Layer: "cpu", Name: "a hypervisor that does not run its processors", Usual: 2, Standing: true,
	Clues: []Clue{{Ask: standsStill, If: .97, Else: .00005, Proves: true,
		Says: "it is a guest whose clock runs at {own} of real time: its processors stand still for the rest, and what it measures is wrong by as much"}},
	Decides: "on its hypervisor: the load, and whether the guest is throttled or paused now and then",
	Remedy: "See on the hypervisor of {host} why it does not run the guest's processors: more virtual CPUs than real ones, a CPU limit (qm config, cpulimit; " +
		"virsh schedinfo), snapshots or backups that pause it",
}

// standsStill asks whether the host is a guest whose clock loses more than any clock
// would.
func standsStill(s *Suspect) Answer {
	virtual := s.own().CPU.Virtual
	if virtual == nil {
		return Answer{}
	}
	a := clockRuns(s)
	if a.Is == Yes && !(*virtual && s.Counted[s.Host].ClockError <= -stoodStill) {
		a.Is = No
	}
	return a
}

// badClock asks whether the clock itself is at fault, not the hypervisor.
func badClock(s *Suspect) Answer {
	a := clockRuns(s)
	if standsStill(s).Is == Yes {
		a.Is = No
	}
	return a
}

// clockRuns asks whether the host's clock runs at the wrong speed while the others' do not.
func clockRuns(s *Suspect) Answer {
	own, known := s.Counted[s.Host]
	if !known || !own.ClockTold {
		return Answer{}
	}
	a := Answer{Is: is(math.Abs(own.ClockError) >= wrongClock), Own: fmt.Sprintf("%.0f %%", 100*(1+own.ClockError))}
	compared := false
	for _, h := range s.Others {
		c := s.Counted[h]
		compared = compared || c.ClockTold
		if c.ClockTold && math.Abs(c.ClockError) >= wrongClock {
			a.Is = No // our own clock is off, or that of their hypervisor
		}
	}
	if a.Is == Yes && !compared {
		return Answer{} // our own clock may be off
	}
	return a
}
