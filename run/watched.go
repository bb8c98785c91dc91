package run

import (
	"context"
	"errors"
	"sync"

	"assay"
	"assay/run/watch"
)

// watched runs do while the hosts of all clients are watched, and gives rep what
// they counted. A host that cannot be watched is noted and has no watch; do runs all
// the same.
func (e *Engine) watched(ctx context.Context, clients []client, rep *assay.Repeat, do func(context.Context)) {
	watchings := make([]*watch.Watching, len(clients))
	onAll(clients, func(i int, c client) {
		var err error
		watchings[i], err = e.watcher(c.host).With(c.lease.scratch.Devices).Begin(ctx)
		e.noteBlind(ctx, err)
	})
	do(ctx)
	watches := make([]*assay.Watch, len(clients))
	onAll(clients, func(i int, c client) {
		if watchings[i] == nil {
			return
		}
		w, err := watchings[i].End(ctx)
		e.noteBlind(ctx, err)
		if w != nil {
			w.ToolCPU = toolCPU(steps(rep.Transcript, c.host))
		}
		watches[i] = w
	})
	rep.Watch = watches[0]
	for i, w := range watches[1:] {
		if w == nil {
			continue
		}
		if rep.Watches == nil {
			rep.Watches = map[string]*assay.Watch{}
		}
		rep.Watches[clients[i+1].host] = w
	}
}

// onAll does something for all clients at the same time.
func onAll(clients []client, do func(i int, c client)) {
	var all sync.WaitGroup
	for i, c := range clients {
		all.Go(func() { do(i, c) })
	}
	all.Wait()
}

// noteBlind notes why a host could not be watched, unless it is gone or the repeat
// was ended.
func (e *Engine) noteBlind(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil && !errors.Is(err, assay.ErrHostGone) {
		e.noteOnce("watch", err.Error())
	}
}

// toolCPU is the CPU time of the commands that measured, -1 where a place did
// not tell.
func toolCPU(tr assay.Transcript) float64 {
	total := -1.
	for _, s := range tr.Steps {
		if s.Output.CPU > 0 {
			total = max(total, 0) + s.Output.CPU.Seconds()
		}
	}
	return total
}

func (e *Engine) watcher(host string) *watch.Watcher {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.watchers[host] == nil {
		facts, again := e.Now[host]
		if !again {
			facts = e.run.Inventory.Facts[host]
		}
		e.watchers[host] = watch.New(e.Places[host], facts).Call(e.Names[host])
	}
	return e.watchers[host]
}
