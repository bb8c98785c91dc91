package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"assay"
)

// slowBase is the bound of a throttled device's unslowed side, in read
// operations per second: far below what the device can do.
const slowBase = 2000

// slowDowns are the shares by which the other sides are slower.
var slowDowns = []float64{.05, .10, .20}

// slowed makes gates of a throttled device against itself with a lower bound.
// The bound is set before each repeat, in random order.
func (g gateWorks) slowed(ctx context.Context, dir string, rounds amount, say func(string)) (found []tried, err error) {
	t, err := newThrottle(ctx, dir, gateWorkers)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.remove()) }()
	found = slowedKinds()
	var lock sync.Mutex
	var done atomic.Int64
	err = atOnce(ctx, rounds, gateWorkers, func(ctx context.Context, worker, i int) error {
		d := t.devices[worker]
		s := assay.Subject{ID: "here/device/slowed", Kind: assay.KindDevice, Host: "here", Name: d.path}
		trial := gateTrial("device-randread-4k", s, map[string]string{"rw": "randread", "bs": "4k"})
		trial.Risk = assay.Reads
		runs, err := g.interleaved(ctx, []assay.Trial{trial}, assay.Scratch{}, 1+len(slowDowns), uint64(i), func(side int) error {
			return t.bound(d, sideBound(side))
		})
		if err != nil {
			return err
		}
		say(fmt.Sprintf("gate: slowed sides, %d of %d", done.Add(1), rounds.gates))
		lock.Lock()
		defer lock.Unlock()
		for k := range found {
			if err := found[k].take(runs[0], runs[1+k/len(slowLimits)], 1); err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

// sideBound returns the bound of a side in operations per second; side 0 is the
// base.
func sideBound(side int) int {
	if side == 0 {
		return slowBase
	}
	return int(math.Round(slowBase * (1 - slowDowns[side-1])))
}

// slowLimits are the limits by which each slow-down is judged.
var slowLimits = []float64{0, .03, .05}

// slowedKinds returns all limits of the first slow-down, then of the next.
func slowedKinds() (all []tried) {
	for _, share := range slowDowns {
		for _, limit := range slowLimits {
			all = append(all, tried{what: fmt.Sprintf("%.0f %% slower", 100*share), limit: limit})
		}
	}
	return all
}
