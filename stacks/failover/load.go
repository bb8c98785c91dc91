package failover

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// Done is how much a load did between the previous moment and this one.
type Done struct {
	At    float64 // s of that host's clock
	Times int
}

var lineDone = lazyregexp.New(`^(\d{1,12}\.\d{1,9}) (\d{1,9})$`)

// ReadLoad parses the output of RunLoad. It is pure and total.
func ReadLoad(text []byte) (all []Done) {
	for line := range strings.Lines(string(text)) {
		if m := lineDone.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			times, _ := strconv.Atoi(m[2]) // matched by the pattern
			all = append(all, Done{number(m[1]), times})
		}
	}
	return all
}

// Rate returns how many operations per second a load did between two moments; NaN if it was
// not observed for that long. The time before its first operation does not count.
func Rate(all []Done, from, to float64) float64 {
	first := slices.IndexFunc(all, func(d Done) bool { return d.Times > 0 })
	if first < 0 {
		return math.NaN()
	}
	times, since, until := 0, math.NaN(), math.NaN()
	for _, d := range all[first:] {
		switch {
		case d.At < from || d.At > to:
			continue
		case math.IsNaN(since):
			since = d.At // what it did up to then was earlier
		default:
			times, until = times+d.Times, d.At
		}
	}
	if !(until-since > 0) {
		return math.NaN()
	}
	return float64(times) / (until - since)
}

// Pace is how fast a load runs.
type Pace int

// The paces.
const (
	Full Pace = iota
	Slow      // less than half the usual rate
	None      // nothing at all
)

// Turn is a change of a load's pace.
type Turn struct {
	At float64
	To Pace
}

// What a pace is judged from: at least this much time, enough that a load at full pace does
// not look slow by chance; longer if there would be more turns than can be read.
const (
	paceTime  = .5 // s
	paceTimes = 30.
	slowFrom  = .5 // of the usual rate
	mostTurns = 16
)

// Turns returns the changes of a load's pace after a moment, relative to its pace before; nil
// if it was not observed before.
func Turns(all []Done, since float64) (turns []Turn) {
	usual := Rate(all, math.Inf(-1), since)
	if !(usual > 0) {
		return nil
	}
	for span := max(paceTime, paceTimes/usual); ; span *= 2 {
		if turns = turnsIn(all, since, usual, span); len(turns) <= mostTurns {
			return turns
		}
	}
}

// turnsIn returns the turns seen by looking span seconds at a time.
func turnsIn(all []Done, since, usual, span float64) (turns []Turn) {
	at, times, last := since, 0, Full
	for _, d := range all {
		if d.At <= since {
			continue
		}
		times += d.Times
		if d.At-at < span {
			continue
		}
		pace := Full
		switch {
		case times == 0:
			pace = None
		case float64(times)/(d.At-at) < slowFrom*usual:
			pace = Slow
		}
		if pace != last {
			turns = append(turns, Turn{at, pace})
		}
		at, times, last = d.At, 0, pace
	}
	return turns
}
