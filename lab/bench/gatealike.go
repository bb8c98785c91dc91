package main

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"

	"assay"
	"assay/compare/gate"
	"assay/stats"
)

// tried counts how often gates of one kind closed.
type tried struct {
	what          string
	limit         float64
	gates, closed int
	figures, open int // of all gates, and how many were undecided
	// scatter is the coefficient of variation of each side of each figure.
	scatter []float64
}

// take counts one gate.
func (t *tried) take(base, other assay.Run, figures int) error {
	g, err := gateOf(base, other, t.limit, figures)
	if err != nil {
		return err
	}
	t.gates++
	if g.Fails(false) {
		t.closed++
	}
	t.figures += figures
	t.open += g.Count(gate.Undecided)
	for _, f := range g.Figures {
		for _, c := range f.Cells {
			t.scatter = append(t.scatter, stats.CoV(c.Values))
		}
	}
	return nil
}

// The figures of the equal sides: reads and writes of the first trial, bytes of
// the second.
const alikeFigures = 3

func alikeTrials(dir string) []assay.Trial {
	s := assay.Subject{ID: "here/directory/" + dir, Kind: assay.KindDirectory, Host: "here", Name: dir}
	return []assay.Trial{
		gateTrial("randrw-4k", s, map[string]string{"rw": "randrw", "bs": "4k"}),
		gateTrial("seqread-128k", s, map[string]string{"rw": "read", "bs": "128k", "direct": "0"}),
	}
}

// alike makes gates of two identical sides, each with its worker's file. The
// same repeats are judged by several limits.
func (g gateWorks) alike(ctx context.Context, dir string, gates amount, say func(string)) ([]tried, error) {
	trials := alikeTrials(dir)
	files := make([]assay.Scratch, gateWorkers)
	for i := range files {
		var err error
		if files[i], err = g.lentFile(ctx, trials[0], dir, filepath.Join(dir, fmt.Sprintf("gate-%d", i))); err != nil {
			return nil, err
		}
	}
	found := []tried{{what: "nothing differs", limit: 0}, {what: "nothing differs", limit: .05}}
	var lock sync.Mutex
	var done atomic.Int64
	err := atOnce(ctx, gates, gateWorkers, func(ctx context.Context, worker, i int) error {
		runs, err := g.interleaved(ctx, trials, files[worker], 2, uint64(i), func(int) error { return nil })
		if err != nil {
			return err
		}
		say(fmt.Sprintf("gate: equal sides, %d of %d", done.Add(1), gates.gates))
		lock.Lock()
		defer lock.Unlock()
		for k := range found {
			if err := found[k].take(runs[0], runs[1], alikeFigures); err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}
