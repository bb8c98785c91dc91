package failover

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// Done is how much a load did until a moment, since the one before.
type Done struct {
	At    float64 // s of that host's clock
	Times int
}

var lineDone = lazyregexp.New(`^(\d{1,12}\.\d{1,9}) (\d{1,9})$`)

// ReadLoad reads what RunLoad prints. It is pure and total.
func ReadLoad(text []byte) (all []Done) {
	for line := range strings.Lines(string(text)) {
		if m := lineDone.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			times, _ := strconv.Atoi(m[2]) // the pattern has seen it
			all = append(all, Done{number(m[1]), times})
		}
	}
	return all
}

// Rate is how often a load did what it does, per second, from one moment to another; NaN where it
// was not looked at for that long. What it did before it first did anything does not count.
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
			since = d.At // what it had done until then was before
		default:
			times, until = times+d.Times, d.At
		}
	}
	if !(until-since > 0) {
		return math.NaN()
	}
	return float64(times) / (until - since)
}

// Pace is how a load gets on.
type Pace int

// The paces.
const (
	Full Pace = iota
	Slow      // less than half of what it was
	None      // nothing at all
)

// Turn is when a load's pace changed.
type Turn struct {
	At float64
	To Pace
}

// What a pace is told from: at least so much time, in which a load at full pace would have done so
// much that it is not slow by chance; and more of it where there would be more turns than can be read.
const (
	paceTime  = .5 // s
	paceTimes = 30.
	slowFrom  = .5 // of what it was
	mostTurns = 16
)

// Turns are when a load's pace changed after a moment, beside what it was before; none where it was
// not looked at before.
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

// turnsIn are those that are seen by looking so many seconds at a time.
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
