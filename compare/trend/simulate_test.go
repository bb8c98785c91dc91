package trend

import (
	"math/rand/v2"
	"testing"
)

// Of histories without a step, at most one in twenty may show one, whatever the
// noise.
func TestFalseAlarms(t *testing.T) {
	for _, c := range []struct {
		name string
		make noise
	}{
		{"normal", normal}, {"remembers a fifth", autoregressive(.2)}, {"remembers three tenths", autoregressive(.3)},
		{"one in ten far off", withOutliers}, {"three times as noisy later", uneven}, {"rounded", coarse},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			all, alarms := 0, 0
			for _, n := range []int{12, 25, 50, 110} {
				r := rand.New(rand.NewPCG(uint64(n), 77))
				for i := range 300 {
					if len(mustFind(t, c.make(r, n, 1), Options{Seed: uint64(i)}).Changes) > 0 {
						alarms++
					}
					all++
				}
			}
			t.Logf("%d of %d: %.1f %%", alarms, all, 100*float64(alarms)/float64(all))
			if float64(alarms) > .05*float64(all) {
				t.Errorf("%d of %d histories without a step show one", alarms, all)
			}
		})
	}
}

// Measures how often, and how precisely, a step in the middle of 40 runs is
// found, by its size relative to the noise between runs.
func TestStepsAreFound(t *testing.T) {
	const runs, histories = 40, 100
	t.Log("step   noise   found   within one   in its range")
	for _, by := range []float64{1, 2, 5, 10} {
		for _, sd := range []float64{.5, 1, 2, 5} {
			r := rand.New(rand.NewPCG(uint64(10*by), uint64(10*sd)))
			found, near, covered := 0, 0, 0
			for i := range histories {
				at := 12 + r.IntN(17)
				got := mustFind(t, step(normal(r, runs, sd), at, 1-by/100), Options{Seed: uint64(i)})
				if len(got.Changes) != 1 {
					continue
				}
				found++
				c := got.Changes[0]
				if abs(c.At-at) <= 1 {
					near++
				}
				if c.Earliest <= at && at <= c.Latest {
					covered++
				}
			}
			t.Logf("%3.0f %%  %4.1f %%  %4d %%   %4d           %4d", by, sd, found, near, covered)
			switch ratio := by / sd; {
			case ratio >= 4 && (found < 97 || near < 95*found/100):
				t.Errorf("a step of %v %% at a noise of %v %%: found %d, near %d", by, sd, found, near)
			case ratio >= 2 && found < 85:
				t.Errorf("a step of %v %% at a noise of %v %%: found %d", by, sd, found)
			case found >= 20 && covered < 85*found/100:
				t.Errorf("a step of %v %% at a noise of %v %%: %d of %d ranges hold it", by, sd, covered, found)
			}
		}
	}
}

// The range from Earliest to Latest, and the intervals of ratio and shift,
// contain the truth about as often as stated.
func TestIntervalsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	shifts, ratios := 0, 0
	const all = 1000
	for range all {
		before, after := normal(r, 8, 2), step(normal(r, 11, 2), 0, .9)
		if e := ratioOf(before, after); e.Low <= .9 && .9 <= e.High {
			ratios++
		}
		if e := shiftOf(before, after); e.Low <= -10 && -10 <= e.High {
			shifts++
		}
	}
	for name, hits := range map[string]int{"shift": shifts, "ratio": ratios} {
		if hits < 930 || hits > 985 {
			t.Errorf("%d of %d intervals of the %s hold it", hits, all, name)
		}
	}
}
