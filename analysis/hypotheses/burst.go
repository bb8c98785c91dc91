package hypotheses

// How much of a CPU one thread gets, and how much it does with it, separates faults that
// take time away from faults that make time worth less. The planned one-thread test shows
// it; TestBurst measures it again, on the suspect and on a sound host, if several causes are
// left.
var (
	gotLess  = Clue{Ask: gets(yes), Test: TestBurst, If: .95, Else: .15, Says: "one thread got {own} of a CPU, theirs {theirs}"}
	gotAll   = Clue{Ask: gets(no), Test: TestBurst, If: .9, Else: .4}
	workLess = Clue{Ask: works(yes), Test: TestBurst, If: .9, Else: .08, Says: "a second of CPU time does {own} events, theirs {theirs}"}
	worksAll = Clue{Ask: works(no), Test: TestBurst, If: .95, Else: .4}
	idleLeft = Clue{Ask: idle(yes), Test: TestBurst, If: .9, Else: .03, Says: "meanwhile {own} of its CPU time was idle"}
	noneIdle = Clue{Ask: idle(no), Test: TestBurst, If: .9, Else: .4, Says: "meanwhile only {own} of its CPU time was idle"}
)

// gets asks whether one thread got clearly less than a CPU, and less than on the others; no
// means that it got nearly all of one.
func gets(less bool) func(*Suspect) Answer {
	const much, nearlyAll = .8, .93
	return func(s *Suspect) Answer {
		own, theirs := s.counted(s.Host).Got, s.least(func(c Counted) float64 { return c.Got })
		a := Answer{Own: percent(own), Theirs: percent(theirs)}
		switch {
		case own < 0 || theirs <= 0:
			return Answer{}
		case own >= nearlyAll:
			a.Is = is(!less)
		case own < much && own*oddShare < theirs:
			a.Is = is(less)
		default:
			return Answer{}
		}
		return a
	}
}

// oddShare is the factor by which the others must have more.
const oddShare = 1.25

// works asks whether a second of CPU time does clearly less than on the others; no
// means that it does as much.
func works(less bool) func(*Suspect) Answer {
	const alike = 1.08 // busy caches and sibling threads cost that much
	return func(s *Suspect) Answer {
		own, theirs := s.counted(s.Host).Work, s.least(func(c Counted) float64 { return c.Work })
		a := Answer{Own: integer(own), Theirs: integer(theirs)}
		switch {
		case own <= 0 || theirs <= 0:
			return Answer{}
		case own*oddShare < theirs:
			a.Is = is(less)
		case own*alike > theirs:
			a.Is = is(!less)
		default:
			return Answer{}
		}
		return a
	}
}

// idle asks whether CPU time was left over while one thread got less than a CPU: then
// nothing on the host took it away.
func idle(left bool) func(*Suspect) Answer {
	const much, none = .3, .05
	return func(s *Suspect) Answer {
		if v := s.counted(s.Host).Idle; v >= much || v >= 0 && v < none {
			short := gets(yes)(s).Is == Yes
			if !short {
				return Answer{}
			}
			return Answer{Is: is(v >= much == left), Own: percent(v)}
		}
		return Answer{}
	}
}

// least returns the lowest value among the others; negative if none is known.
func (s *Suspect) least(of func(Counted) float64) float64 {
	least := -1.
	for _, h := range s.Others {
		v := of(s.counted(h))
		if v < 0 {
			continue // not all hosts are measured again
		}
		if least < 0 || v < least {
			least = v
		}
	}
	return least
}
