package failover

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/farclock"
	"assay/internal/lazyregexp"
	"assay/internal/outage"
	"assay/stats"
)

// Request is a request by an observer. Times are seconds of the observer's clock.
type Request struct {
	Sent float64
	Took float64 // until its answer; NaN if none
}

// Answered reports whether there was an answer.
func (r Request) Answered() bool { return !math.IsNaN(r.Took) }

// fewestAnswers is how many answers it takes to see a gap: some before, and some
// after.
const fewestAnswers = 10

var lineRequest = lazyregexp.New(`^(\d{1,12}\.\d{1,9}) (\d{1,9}\.\d{1,9}) (\S{1,40})$`)

// ReadRequests parses the output of Observe, sorted by time sent. It is pure and total.
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
	f, _ := strconv.ParseFloat(text, 64) // matched by a pattern
	return f
}

// LongestGap returns the longest time between two answers that ends after one moment and
// begins before another, in seconds of the observer's clock. ok is false if there is none.
func LongestGap(all []Request, after, before float64) (longest outage.Gap, ok bool) {
	return outage.Longest(Answers(all), after, before)
}

// Interval returns the median time between two answers, in s.
func Interval(all []Request) float64 { return outage.Interval(Answers(all)) }

// Answers returns when the answers came, sorted.
func Answers(all []Request) (at []float64) {
	for _, r := range all {
		if r.Answered() {
			at = append(at, r.Sent+r.Took)
		}
	}
	slices.Sort(at)
	return at
}

// Between returns how many requests were sent in a period, how many had no answer, and the
// median response time in s; NaN if there was none.
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
// what did not happen.
type Times struct {
	Stopping, Stopped float64 // start and end of the stop command
	Starting, Started float64 // likewise for putting it back; Started is when it was seen to run
	Status            int     // exit status of the stop command
}

// ReadTimes parses the output of Undo. It is pure and total.
func ReadTimes(text []byte) (t Times, err error) {
	back := false
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		into := map[string]*float64{"stopping": &t.Stopping, "stopped": &t.Stopped, "starting": &t.Starting, "started": &t.Started}[key]
		switch {
		case into != nil:
			if *into, err = farclock.Read([]byte(value)); err != nil {
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

// Neighbour is a new state of the address in an observer's neighbour table.
type Neighbour struct {
	At  float64 // s of the observer's clock
	MAC string  // "" where it has none any more
}

var lineNeighbour = lazyregexp.New(`^(\d{1,12}\.\d{1,9}) neighbour (-|[0-9a-fA-F:]{1,64})$`)

// ReadNeighbours parses the table's initial state and each change from the output of Observe;
// nothing if the address is not on one of the observer's networks. It is pure and total.
func ReadNeighbours(text []byte) (all []Neighbour) {
	for line := range strings.Lines(string(text)) {
		if m := lineNeighbour.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			all = append(all, Neighbour{number(m[1]), strings.Trim(m[2], "-")})
		}
	}
	return all
}

// Look is one answer of the command that checks whether redundancy is whole.
type Look struct {
	At    float64 // s of that host's clock
	Whole bool
}

var lineWhole = lazyregexp.New(`^(\d{1,12}(?:\.\d{1,9})?)(?:\.%?N)? ([01])$`)

// ReadWhole parses the output of WatchWhole. It is pure and total.
func ReadWhole(text []byte) (all []Look) {
	for line := range strings.Lines(string(text)) {
		if m := lineWhole.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			all = append(all, Look{number(m[1]), m[2] == "0"})
		}
	}
	return all
}

// BrokenFor returns when, since a moment, redundancy was first seen broken, and when it was
// whole again for good. ok is false if it was never seen broken, or did not become whole.
func BrokenFor(all []Look, since float64) (from, to float64, ok bool) {
	for _, l := range all {
		switch {
		case l.At < since:
		case !l.Whole && !ok:
			from, to, ok = l.At, 0, true
		case !l.Whole:
			to = 0
		case ok && to == 0:
			to = l.At
		}
	}
	return from, to, ok && to > 0
}

// WholeAgain returns when it became whole.
func WholeAgain(all []Look, since float64) (at float64, ok bool) {
	_, at, ok = BrokenFor(all, since)
	return at, ok
}
