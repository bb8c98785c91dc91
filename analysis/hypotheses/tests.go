package hypotheses

import (
	"fmt"
	"slices"

	"assay/internal/quantity"
)

// Cases of plan/suite/extra/deciders.yaml, measured to decide between faults.
const (
	TestFlows  = "flows-4"     // four TCP flows: as multiples of one
	TestFlow   = "flow-1"      // one TCP flow on further links of a sample
	TestUDP    = "udp-slow"    // UDP at a low rate: the share lost
	TestReads  = "reads-slow"  // a few reads a second: their latency in s (p10: a busy host delays some, a slow drive all)
	TestWrites = "writes-slow" // a few writes a second: the same
	TestBurst  = "cpu-burst"   // one thread: what it gets of a CPU, and does with it
)

// Clues that only a deciding measurement gives.
var (
	// boundByLine shows that the line is the limit, not something in each flow.
	boundByLine = Clue{Ask: flowsCarry(no), Test: TestFlows, If: .95, Else: .15, Says: "four flows together carry no more than one"}
	// boundByFlow shows that the limit is something each flow has to itself.
	boundByFlow = Clue{Ask: flowsCarry(yes), Test: TestFlows, If: .95, Else: .15, Says: "four flows carry {own} times as much as one"}
	// losesAnyway shows that packets are lost however few there are.
	losesAnyway = Clue{Ask: losesAtALowRate(yes), Test: TestUDP, If: .95, Else: .05, Says: "even UDP at {own}"}
	// losesAbove shows that packets are lost only above some rate.
	losesAbove = Clue{Ask: losesAtALowRate(no), Test: TestUDP, If: .95, Else: .2, Says: "UDP at {own}"}
)

const yes, no = true, false

// flowsCarry asks whether several flows carry much more than one: on all slow paths, or
// on none.
func flowsCarry(more bool) func(*Suspect) Answer {
	const much, hardly = 2, 1.4
	return func(s *Suspect) Answer {
		own := s.Tested[TestFlows].Own
		if len(own) == 0 || slices.Min(own) < much && slices.Max(own) > hardly {
			return Answer{}
		}
		return Answer{Is: is(slices.Min(own) >= much == more), Own: fmt.Sprintf("%.1f", slices.Min(own))}
	}
}

// losesAtALowRate asks whether packets are lost far below the line rate, while the same
// load loses none elsewhere.
func losesAtALowRate(loses bool) func(*Suspect) Answer {
	const much, none = .003, .0005
	return func(s *Suspect) Answer {
		t := s.Tested[TestUDP]
		if len(t.Own) == 0 || len(t.Theirs) == 0 {
			return Answer{}
		}
		own, theirs := slices.Max(t.Own), slices.Max(t.Theirs) // busy hosts lose some by themselves
		switch {
		case own >= max(much, 5*theirs):
			return Answer{Is: is(loses), Own: t.At + " loses " + tenths(own)}
		case own <= none, own <= min(theirs, much):
			return Answer{Is: is(!loses), Own: t.At + " arrives whole"}
		}
		return Answer{}
	}
}

// A few operations per second are prompt under a limit, and slow on a slow drive.
var (
	unhurried = [2]Clue{promptly(TestReads, "reads", RandomReads).so(.95, .005), promptly(TestWrites, "writes", RandomWrites).so(.95, .005)}
	// A failing drive is slow only on some operations.
	slowAtTimes = promptly(TestReads, "reads", RandomReads).so(.5, .6).silent()
	slowAlone   = [2]Clue{promptly(TestReads, "reads", RandomReads).so(.1, .6).silent(), promptly(TestWrites, "writes", RandomWrites).so(.1, .6).silent()}
)

// promptly is the clue that a few operations are so fast that, even one after another,
// several times the measured rate would be possible: the drive is not the limit.
func promptly(test, word string, load Load) Clue {
	const several = 3
	ask := func(s *Suspect) Answer {
		t := s.Tested[test]
		if len(t.Own) == 0 || t.Many <= 0 || !s.Seen[load].Odd {
			return Answer{}
		}
		own := slices.Max(t.Own)
		a := Answer{Own: milliseconds(own), Theirs: quantity.Of("storage.read.iops", 1/own)}
		switch {
		case own*t.Many <= 1./several:
			a.Is = Yes
		case own*t.Many >= 1:
			a.Is = No
		}
		return a
	}
	return Clue{Ask: ask, Test: test, Says: "at 20 per second, its " + word + " take {own} (p10), which is enough for {theirs} one by one"}
}

// flushCosts is the clue that a plain write is fast, and one that waits for a flush is
// slow.
var flushCosts = Clue{Ask: func(s *Suspect) Answer {
	const much, hardly = 5, 1.5
	t := s.Tested[TestWrites]
	if len(t.Own) == 0 || t.Synced <= 0 || !s.Seen[SyncWrites].Odd {
		return Answer{}
	}
	own, synced := slices.Max(t.Own), 1/t.Synced
	a := Answer{Own: milliseconds(own), Theirs: milliseconds(synced)}
	switch {
	case own*much <= synced:
		a.Is = Yes
	case own*hardly >= synced:
		a.Is = No
	}
	return a
}, Test: TestWrites, If: .95, Else: .3, Says: "a write without a flush takes {own} (p10), a synchronous one {theirs}"}

func (c Clue) so(likely, otherwise float64) Clue {
	c.If, c.Else = likely, otherwise
	return c
}

func (c Clue) silent() Clue {
	c.Says = ""
	return c
}

func milliseconds(v float64) string { return quantity.Of("storage.read.latency.p50", v) }

// Tests returns the cases not yet measured that would tell the remaining faults of a
// cause apart.
func (c Cause) Tests() []string {
	var all []string
	left := []*Hypothesis{c.Hypothesis}
	for _, r := range c.Rivals {
		left = append(left, r.Hypothesis)
	}
	for _, h := range left {
		for _, clue := range h.Clues {
			if clue.Test != "" && !slices.Contains(c.Tested, clue.Test) && !slices.Contains(all, clue.Test) {
				all = append(all, clue.Test)
			}
		}
	}
	return all
}
