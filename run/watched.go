package run

import (
	"context"
	"errors"
	"slices"
	"sync"

	"assay"
	"assay/run/watch"
)

// watchee is a host to watch during a repeat, with devices that its facts may lack.
type watchee struct {
	host    string
	devices []string
}

// watched runs do while watching the hosts of all clients and those that hold their
// data, and stores the counters in rep. A host that cannot be watched is noted and has
// no watch; do runs anyway.
func (e *Engine) watched(ctx context.Context, t assay.Trial, clients []client, rep *assay.Repeat, do func(context.Context)) {
	all := e.watchees(t, clients)
	watchings := make([]*watch.Watching, len(all))
	onAll(all, func(i int, w watchee) {
		var err error
		watchings[i], err = e.watcher(w.host).With(w.devices).Begin(ctx)
		e.noteBlind(ctx, w.host, err)
	})
	do(ctx)
	watches := make([]*assay.Watch, len(all))
	onAll(all, func(i int, w watchee) {
		if watchings[i] == nil {
			return
		}
		var err error
		watches[i], err = watchings[i].End(ctx)
		e.noteBlind(ctx, w.host, err)
		if watches[i] != nil && i < len(clients) {
			watches[i].ToolCPU = toolCPU(steps(rep.Transcript, w.host))
		}
	})
	rep.Watch = watches[0]
	for i, w := range watches[1:] {
		if w == nil {
			continue
		}
		if rep.Watches == nil {
			rep.Watches = map[string]*assay.Watch{}
		}
		rep.Watches[all[i+1].host] = w
	}
}

// watchees returns the hosts of all clients, in their order, and then this run's
// hosts that hold their data (members of a pool, or a hypervisor): their drives,
// processors and networks do the work.
func (e *Engine) watchees(t assay.Trial, clients []client) []watchee {
	var all []watchee
	var holds []assay.StackDisk
	for _, c := range clients {
		all = append(all, watchee{c.host, slices.Clone(c.lease.scratch.Devices)})
		if g := e.run.Inventory.Facts[c.host].Guest; g != nil {
			holds = append(holds, assay.StackDisk{Host: g.Hypervisor, Devices: virtual(*g, c.lease.scratch.Disk)})
		}
	}
	if stack := e.run.Inventory.Facts[t.Subject.Host].Stack; stack != nil && t.Subject.Tier != "" {
		holds = append(holds, stack.Disks...)
	}
	for _, d := range holds {
		i := slices.IndexFunc(all, func(w watchee) bool { return w.host == d.Host })
		if i < 0 {
			if e.Places[d.Host] == nil || e.isBlind(d.Host) || e.isGone(d.Host) {
				continue
			}
			i, all = len(all), append(all, watchee{host: d.Host})
		}
		all[i].devices = append(all[i].devices, d.Devices...)
	}
	return all
}

// virtual returns the hypervisor's devices under a guest's disks and under one lent to it.
func virtual(g assay.GuestFacts, lent *assay.GuestDisk) (devices []string) {
	for _, d := range g.Disks {
		devices = append(devices, d.Device)
	}
	if lent != nil {
		devices = append(devices, lent.Device)
	}
	return slices.DeleteFunc(devices, func(name string) bool { return name == "" })
}

// onAll calls do for all of them concurrently.
func onAll[T any](all []T, do func(i int, one T)) {
	var done sync.WaitGroup
	for i, one := range all {
		done.Go(func() { do(i, one) })
	}
	done.Wait()
}

// noteBlind notes why a host could not be watched, unless it is gone or the repeat
// was ended.
func (e *Engine) noteBlind(ctx context.Context, host string, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	e.mu.Lock()
	if e.blind == nil {
		e.blind = map[string]bool{}
	}
	e.blind[host] = true
	e.mu.Unlock()
	if !errors.Is(err, assay.ErrHostGone) {
		e.noteOnce("watch", err.Error())
	}
}

// isBlind reports whether a host could not be watched before. A host that only holds
// others' data is not retried: that would cost each repeat a timeout.
func (e *Engine) isBlind(host string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.blind[host]
}

// toolCPU returns the CPU time of the measuring commands, -1 if no place
// reported any.
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
