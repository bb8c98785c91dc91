package hypotheses

import (
	"fmt"
	"math"
)

// wrongClock is an error of a clock's speed that no synchronisation makes.
const wrongClock = .02

// clockRate is a clock that runs at the wrong speed: that of a guest whose processors stand
// still, or a bad clock source. All that the host measures by it is wrong by as much.
var clockRate = Hypothesis{
	ID: "clock-rate", Layer: "system", Name: "a clock that runs at the wrong speed", Usual: 2, Standing: true,
	Clues:   []Clue{{Ask: clockRuns, If: .97, Else: .0002, Proves: true, Says: "its clock runs at {own} of real time, and what it measures is wrong by as much"}},
	Decides: "the time on that host and on another, twice, a minute apart",
	Remedy: "Find out why the clock of {host} does not keep time: too little CPU time for a guest (vmstat 1, column st), or its clock source " +
		"(/sys/devices/system/clocksource/clocksource0/current_clocksource)",
}

// clockRuns asks whether the host's clock runs at the wrong speed, and those of others do not.
func clockRuns(s *Suspect) Answer {
	own, known := s.Counted[s.Host]
	if !known || !own.ClockTold {
		return Answer{}
	}
	a := Answer{Is: is(math.Abs(own.ClockError) >= wrongClock), Own: fmt.Sprintf("%.0f %%", 100*(1+own.ClockError))}
	for _, h := range s.Others {
		if c := s.Counted[h]; c.ClockTold && math.Abs(c.ClockError) >= wrongClock {
			a.Is = No // it is our own clock, or that of what they run on
		}
	}
	return a
}
