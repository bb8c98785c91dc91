package main

import (
	"fmt"
	"time"

	"assay"
)

// tally counts what was planned and what was done. Warm-ups count: they take
// time too.
type tally struct {
	lengths           map[string]time.Duration // of a repeat, by trial
	asked, made       int                      // repeats
	planned, measured time.Duration            // to measure in all; measured by the repeats made
}

// tallyOf counts the runs of different hosts together.
func tallyOf(runs ...assay.Run) tally {
	t := tally{lengths: map[string]time.Duration{}}
	for _, run := range runs {
		for _, r := range run.Results {
			if r.Trial.Absent != nil {
				continue
			}
			t.lengths[r.Trial.ID] = r.Trial.Length
			t.asked += r.Trial.Repeats
			t.planned += time.Duration(r.Trial.Repeats) * r.Trial.Length
			if r.Trial.Warmup > 0 {
				t.asked++
				t.planned += r.Trial.Warmup
			}
			for _, rep := range r.Repeats {
				switch {
				case rep.Outcome != assay.Done:
					continue
				case rep.N == 0:
					t.measured += r.Trial.Warmup
				default:
					t.measured += r.Trial.Length
				}
				t.made++
			}
		}
	}
	return t
}

// whole returns how long the whole plan would have taken, in seconds, if the
// part that was made took wall.
func (t tally) whole(wall float64) (float64, error) {
	if t.measured == 0 {
		return 0, fmt.Errorf("none of %d repeats was made", t.asked)
	}
	return wall * t.planned.Seconds() / t.measured.Seconds(), nil
}

// lengthTolerance is how much the lengths of the same repeats may differ:
// budgets are given in tenths of a second.
const lengthTolerance = .02

// samePlan returns an error if two ways of carrying out a plan cannot be
// compared.
func samePlan(a, b tally) error {
	if a.asked != b.asked {
		return fmt.Errorf("%d repeats cannot be compared with %d", a.asked, b.asked)
	}
	for id, length := range a.lengths {
		other, there := b.lengths[id]
		if !there {
			return fmt.Errorf("%s was planned only once", id)
		}
		if x, y := length.Seconds(), other.Seconds(); x > y*(1+lengthTolerance) || y > x*(1+lengthTolerance) {
			return fmt.Errorf("%s: repeats of %.2f s cannot be compared with those of %.2f s", id, x, y)
		}
	}
	return nil
}

// waysRow compares the wall times of two ways to carry out the same plan. It
// notes repeats that a budget cut off, and scales the times up to all repeats.
func waysRow(what, against string, own, peer way) (row, []string, error) {
	if err := samePlan(own.tally, peer.tally); err != nil {
		return row{}, nil, fmt.Errorf("%s: %w", what, err)
	}
	var notes []string
	var whole [2]float64
	for i, w := range []way{own, peer} {
		var err error
		if whole[i], err = w.tally.whole(w.wall); err != nil {
			return row{}, nil, fmt.Errorf("%s: %w", what, err)
		}
		if name := []string{what, against}[i]; w.tally.made < w.tally.asked {
			notes = append(notes, fmt.Sprintf("%s: repeats not made, for lack of time or CPU: %d of %d; its %.1f s are scaled up to all that was to be measured",
				name, w.tally.asked-w.tally.made, w.tally.asked, w.wall))
		}
	}
	r, err := compare(what, against, assay.Seconds, whole[:1], whole[1:], claim{})
	return r, notes, err
}

// way is one way of carrying out a plan.
type way struct {
	tally tally
	wall  float64 // s
}
