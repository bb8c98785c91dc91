package migration

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/outage"
)

// Seen is the output of Observe: how the guest looked from outside, and what happened inside.
// Times are s of the observer's clock, those of what happened inside s of the guest's.
type Seen struct {
	UDP, TCP Asked
	Broken   []float64 // when a connection broke
	Dropped  float64   // TCP queries lost with them
	Clock    []Tick
	Paused   float64 // the longest time without a query: the host was busy

	Disk   string // the file system that is written to, "" where nothing was
	Writes []Write
	Memory float64  // bytes changed, over and over
	Load   []Change // the progress of that
}

// Asked is what one way of asking saw.
type Asked struct {
	Line     int // of its figures, from 1; 0 if there are none
	Sent     float64
	Answered float64
	Interval float64      // the median between two answers
	Longest  float64      // and the most
	Gaps     []outage.Gap // those beyond jitter, in order
	Silent   bool         // to the end: the last gap lasted longer than seen
}

// Lost returns how many queries were never answered.
func (a Asked) Lost() float64 { return max(a.Sent-a.Answered, 0) }

// Gap returns the longest time without an answer; ok is false if all was
// jitter.
func (a Asked) Gap() (g outage.Gap, ok bool) {
	for _, one := range a.Gaps {
		if !ok || one.Seconds() > g.Seconds() {
			g, ok = one, true
		}
	}
	return g, ok
}

// Tick is what the guest's clock showed at an answer.
type Tick struct{ At, Guest, Took float64 }

// ahead returns how far the observer's clock is ahead of the guest's, within Took/2.
func (t Tick) ahead() float64 { return t.At - t.Took/2 - t.Guest }

// Write is a period of writing: when it ended, how many writes it had, and the longest.
type Write struct{ At, Count, Began, Longest float64 }

// Change is how many bytes of memory had been changed by a moment.
type Change struct{ At, Bytes float64 }

// ReadSeen parses the output of Observe. It skips lines of other kinds; truncated lines are
// errors. It is pure and total.
func ReadSeen(text []byte) (s Seen, err error) {
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		words := strings.Fields(line)
		if len(words) > 0 && words[0] == "inside" {
			words = words[1:]
		}
		if len(words) < 2 {
			continue
		}
		if err := s.take(words, n); err != nil {
			return Seen{}, fmt.Errorf("what was seen of the guest: line %d: %w", n, err)
		}
	}
	if s.UDP.Line == 0 || s.TCP.Line == 0 {
		return Seen{}, fmt.Errorf("what was seen of the guest: %w: it ends before its figures", assay.ErrNoOutput)
	}
	return s, nil
}

func (s *Seen) take(words []string, line int) error {
	way, kind := &s.UDP, words[1]
	if words[0] == "tcp" {
		way = &s.TCP
	}
	switch words[0] {
	case "udp", "tcp":
		switch kind {
		case "gap", "silent":
			var g outage.Gap
			if err := figures(words[2:], &g.From, &g.To); err != nil {
				return err
			}
			if len(way.Gaps) > 0 && g.From < way.Gaps[len(way.Gaps)-1].To || g.To < g.From {
				return fmt.Errorf("times go back: %.80q", words)
			}
			way.Gaps, way.Silent = append(way.Gaps, g), kind == "silent"
			way.Longest = max(way.Longest, g.Seconds())
		case "asked":
			longest := 0.
			way.Line = line
			err := figures(words[2:], &way.Sent, &way.Answered, &way.Interval, &longest)
			way.Longest = max(way.Longest, longest)
			return err
		case "broke":
			var at, dropped float64
			if len(words) != 5 {
				return fmt.Errorf("%.80q is cut off", words)
			}
			err := figures([]string{words[2], words[4]}, &at, &dropped)
			s.Broken, s.Dropped = append(s.Broken, at), s.Dropped+dropped
			return err
		}
	case "clock":
		var t Tick
		err := figures(words[1:], &t.At, &t.Guest, &t.Took)
		s.Clock = append(s.Clock, t)
		return err
	case "paused":
		return figures(words[1:], &s.Paused)
	case "disk":
		s.Disk = words[1]
	case "memory":
		return figures(words[1:], &s.Memory)
	case "write":
		var w Write
		err := figures(words[1:], &w.At, &w.Count, &w.Began, &w.Longest)
		s.Writes = append(s.Writes, w)
		return err
	case "load":
		var c Change
		err := figures(words[1:], &c.At, &c.Bytes)
		s.Load = append(s.Load, c)
		return err
	}
	return nil
}

// figures parses numbers: finite, not negative, below 1e18.
func figures(words []string, into ...*float64) error {
	if len(words) != len(into) {
		return fmt.Errorf("%.80q is cut off", words)
	}
	for i, word := range words {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsNaN(v) || v < 0 || v > 1e18 {
			return fmt.Errorf("%.40q is not a valid figure", word)
		}
		*into[i] = v
	}
	return nil
}

// beside is how long before and after a gap the clocks are compared, in s.
const beside = 2.

// Standstill is a time without an answer, in part of which the guest's clock stood still.
type Standstill struct {
	outage.Gap
	Still float64 // s
	Off   float64 // the uncertainty of Still

	before, after float64 // how far the observer's clock was ahead
}

// Stood returns how long the guest's clock stood still in a gap. ok is false without answers
// on both sides of it.
func (s Seen) Stood(in outage.Gap) (st Standstill, ok bool) {
	before, was := s.quickest(in.From-beside, in.From)
	after, is := s.quickest(in.To, in.To+beside)
	if !was || !is {
		return st, false
	}
	st = Standstill{Gap: in, Off: (before.Took + after.Took) / 2, before: before.ahead(), after: after.ahead()}
	st.Still = max(st.after-st.before, 0)
	return st, true
}

// quickest returns the tick of the quickest answer in a period, which shows the clocks best.
func (s Seen) quickest(from, to float64) (best Tick, ok bool) {
	for _, t := range s.Clock {
		if t.At >= from && t.At <= to && (!ok || t.Took < best.Took) {
			best, ok = t, true
		}
	}
	return best, ok
}

// Guest returns the guest's clock at a moment; ok is false if nothing was heard of it.
func (s Seen) Guest(at float64) (theirs float64, ok bool) {
	i, exact := slices.BinarySearchFunc(s.Clock, at, func(t Tick, at float64) int {
		switch {
		case t.At < at:
			return -1
		case t.At > at:
			return 1
		}
		return 0
	})
	if !exact && i > 0 {
		i--
	}
	if i >= len(s.Clock) {
		return 0, false
	}
	theirs = at - s.Clock[i].ahead()
	if i+1 < len(s.Clock) {
		theirs = min(theirs, s.Clock[i+1].Guest) // it stood still
	}
	return theirs, true
}
