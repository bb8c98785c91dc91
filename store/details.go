package store

import (
	"cmp"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// watched is a repeat's packed watch, of the run being loaded.
type watched struct {
	result, repeat int // their indices
	watch          []byte
}

// details adds measurements and watches to the repeats. Decoding the watches takes as
// long as everything else, so it is spread over all CPUs.
func (l *loader) details() error {
	var next atomic.Int64
	all := l.watched
	l.watched = nil
	share := func(r *room) error {
		for {
			n := int(next.Add(1)) - 1
			if n >= len(all) {
				return nil
			}
			if err := l.watch(r, all[n]); err != nil {
				next.Store(int64(len(all))) // the rest is useless
				return err
			}
		}
	}
	shares := make([]error, min(runtime.GOMAXPROCS(0)-1, len(all)))
	var group sync.WaitGroup
	for i := range shares {
		group.Go(func() { shares[i] = share(l.room.beside()) })
	}
	err := l.measurements()
	if err != nil {
		next.Store(int64(len(all)))
	} else {
		err = share(l.room)
	}
	group.Wait()
	return cmp.Or(err, cmp.Or(shares...))
}

// watch decodes one watch. No two goroutines share a repeat.
func (l *loader) watch(r *room, w watched) error {
	result := &l.run.Results[w.result]
	repeat := &result.Repeats[w.repeat]
	var all watches
	if err := r.unpackJSON(w.watch, &all); err != nil {
		return fmt.Errorf("watch of repeat %d of trial %s: %w", repeat.N, result.Trial.ID, err)
	}
	repeat.Watch, repeat.Watches = all.Watch, all.Hosts
	return nil
}
