package failover

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/stats"
)

// Request is one that an observer made. Times are seconds of the observer's clock.
type Request struct {
	Sent float64
	Took float64 // until its answer; NaN where there was none
}

// Answered reports whether there was an answer.
func (r Request) Answered() bool { return !math.IsNaN(r.Took) }

// fewestAnswers are what a gap can be seen between: some before, and some after.
const fewestAnswers = 20

var lineRequest = lazyregexp.New(`^(\d{1,12}\.\d{1,9}) (\d{1,9}\.\d{1,9}) (\S{1,40})$`)

// ReadRequests reads what Observe prints, in the order in which it was asked. It is pure and
// total.
func ReadRequests(text []byte) ([]Request, error) {
	var all []Request
	answers := 0
	for line := range strings.Lines(string(text)) {
		m := lineRequest.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		r := Request{Sent: number(m[1]), Took: number(m[2])}
		if m[3] == "ok" {
			answers++
		} else {
			r.Took = math.NaN()
		}
		all = append(all, r)
	}
	if answers < fewestAnswers {
		return nil, fmt.Errorf("%w: %d answers, and at least %d are needed", assay.ErrNoOutput, answers, fewestAnswers)
	}
	slices.SortStableFunc(all, func(a, b Request) int { return cmp.Compare(a.Sent, b.Sent) })
	return all, nil
}

func number(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64) // a pattern has seen it
	return f
}

// Gap is the longest time between two answers, both in seconds of the observer's clock.
type Gap struct{ From, To float64 }

// Seconds is how long it was.
func (g Gap) Seconds() float64 { return g.To - g.From }

// LongestGap is the longest that ends after a moment and begins before another. ok is false
// where there is none.
func LongestGap(all []Request, after, before float64) (longest Gap, ok bool) {
	at := answers(all)
	for i := 1; i < len(at); i++ {
		g := Gap{at[i-1], at[i]}
		if g.To > after && g.From < before && (!ok || g.Seconds() > longest.Seconds()) {
			longest, ok = g, true
		}
	}
	return longest, ok
}

// Interval is the median time between two answers, s.
func Interval(all []Request) float64 {
	at := answers(all)
	var gaps []float64
	for i := 1; i < len(at); i++ {
		gaps = append(gaps, at[i]-at[i-1])
	}
	return stats.Median(gaps)
}

func answers(all []Request) (at []float64) {
	for _, r := range all {
		if r.Answered() {
			at = append(at, r.Sent+r.Took)
		}
	}
	slices.Sort(at)
	return at
}

// Between are the requests of a time, how many of them had no answer, and what an answer took
// in the median, s; NaN where there was none.
func Between(all []Request, from, to float64) (sent, lost int, median float64) {
	var took []float64
	for _, r := range all {
		switch {
		case r.Sent < from || r.Sent >= to:
			continue
		case r.Answered():
			took = append(took, r.Took)
		default:
			lost++
		}
		sent++
	}
	if len(took) == 0 {
		return sent, lost, math.NaN()
	}
	return sent, lost, stats.Median(took)
}

// Times are when things happened, in seconds of the clock of the host that did them; 0 for
// what did not.
type Times struct {
	Stopping, Stopped float64 // the command that stops it began, and ended
	Starting, Started float64 // likewise what puts it back; Started is when it was seen to run
	Status            int     // exit status of what stops it
}

// ReadTimes reads what Undo prints. It is pure and total.
func ReadTimes(text []byte) (t Times, err error) {
	back := false
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		into := map[string]*float64{"stopping": &t.Stopping, "stopped": &t.Stopped, "starting": &t.Starting, "started": &t.Started}[key]
		switch {
		case into != nil:
			if *into, err = ReadClock([]byte(value)); err != nil {
				return Times{}, fmt.Errorf("%s: %w", key, err)
			}
		case key == "stop.status":
			if t.Status, err = strconv.Atoi(value); err != nil {
				return Times{}, fmt.Errorf("the status of what stops it is %.20q", value)
			}
		case key == "back":
			back = true
		}
	}
	switch {
	case !back:
		return Times{}, fmt.Errorf("when it was put back: %w", assay.ErrNoOutput)
	case t.Stopping == 0 || t.Starting == 0 || t.Started == 0:
		return Times{}, fmt.Errorf("when it was stopped and put back: %w", assay.ErrNoOutput)
	case t.Started < t.Starting || t.Starting < t.Stopping:
		return Times{}, fmt.Errorf("the clock went back while it was stopped")
	}
	return t, nil
}

var clock = lazyregexp.New(`^(\d{1,12}(?:\.\d{1,9})?)`)

// ReadClock reads what Clock prints, s. Some date prints no fractions.
func ReadClock(text []byte) (float64, error) {
	m := clock.FindStringSubmatch(strings.TrimSpace(string(text)))
	if m == nil {
		return 0, fmt.Errorf("%.40q is not a time", text)
	}
	return number(m[1]), nil
}

// Look is one answer of the command that tells whether redundancy is whole.
type Look struct {
	At    float64 // s of that host's clock
	Whole bool
}

var lineWhole = lazyregexp.New(`^(\d{1,12}(?:\.\d{1,9})?)(?:\.%?N)? ([01])$`)

// ReadWhole reads what WatchWhole prints. It is pure and total.
func ReadWhole(text []byte) (all []Look) {
	for line := range strings.Lines(string(text)) {
		if m := lineWhole.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			all = append(all, Look{number(m[1]), m[2] == "0"})
		}
	}
	return all
}

// WholeAgain is when redundancy became whole to stay so, after it was seen not to be. ok is
// false where it never was seen not to be since a moment, or did not become whole.
func WholeAgain(all []Look, since float64) (at float64, ok bool) {
	for _, l := range all {
		switch {
		case l.At < since:
		case !l.Whole:
			at, ok = 0, true
		case ok && at == 0:
			at = l.At
		}
	}
	return at, ok && at > 0
}
