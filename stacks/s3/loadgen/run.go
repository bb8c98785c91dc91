package loadgen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"assay/internal/sleep"
)

// early is how long before its start an operation of an open loop is prepared:
// long enough for the largest data, short enough for the signature.
const early = time.Second

// run is one measured load.
type run struct {
	client *Client
	rs     *recorders
	start  time.Time
	end    time.Time // no operation starts after it
	next   atomic.Int64
	choice []Op // the mix, by weight

	mu      sync.Mutex
	stopped error // the first reason to stop early
	last    time.Time
	cancel  context.CancelFunc
}

// Run puts the load on the store for its duration and returns the result.
// Connections are opened beforehand. Failed operations are counted and the load
// goes on, unless no later one could succeed: then the error is the *Failure,
// and the result holds what was measured until then. Cancelling ctx ends it at
// once, with ctx.Err().
func (c *Client) Run(ctx context.Context) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{client: c, rs: newRecorders(c.load, len(c.endpoints)), cancel: cancel}
	for _, op := range Ops {
		for range c.load.Mix[op] / divisor(c.load.Mix) {
			r.choice = append(r.choice, op)
		}
	}
	var workers []*worker
	for i := range c.load.Concurrency {
		w := c.newWorker(ctx, i)
		defer w.close()
		workers = append(workers, w)
	}
	if err := c.connect(ctx, workers); err != nil {
		return Result{}, err
	}
	before := usage()
	connections, reconnects := c.tally.connections.Load(), c.tally.reconnects.Load()
	r.start = time.Now()
	r.rs.began, r.last = r.start, r.start
	r.end = r.start.Add(c.load.Duration)
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(func() {
			if c.load.Rate > 0 {
				r.open(ctx, w)
			} else {
				r.closed(ctx, w)
			}
		})
	}
	stop := make(chan struct{})
	var telling sync.WaitGroup
	if c.tell != nil {
		telling.Go(func() { r.rs.telling(c.tell, stop) })
	}
	all.Wait()
	used := usage()
	close(stop)
	telling.Wait()
	if full := r.start.Add(c.load.Duration); c.load.Rate > 0 && c.load.Limit == 0 && r.stopped == nil && r.last.Before(full) {
		r.last = full // the time after the last operation counts for the rate
	}
	result := c.result(r.rs, r.start, r.last)
	host, _ := os.Hostname() // "" where it has none
	result.Clients = []ClientUsage{{
		Host: host, User: used.user - before.user, System: used.system - before.system,
		CPUs: runtime.GOMAXPROCS(0), Elapsed: result.Elapsed,
		Connections: c.tally.connections.Load() - connections, Reconnects: c.tally.reconnects.Load() - reconnects,
	}}
	var failure *Failure
	switch {
	case r.stopped == nil:
		return result, ctx.Err()
	case errors.As(r.stopped, &failure):
		result.Stopped = failure.Class.Says()
		return result, failure
	case errors.Is(r.stopped, context.Canceled), errors.Is(r.stopped, context.DeadlineExceeded):
		result.Stopped = Interrupted.Says()
		return result, r.stopped
	}
	result.Stopped = r.stopped.Error()
	return result, nil
}

// connect opens a load's initial connections, and fails at once if it cannot.
func (c *Client) connect(ctx context.Context, workers []*worker) error {
	var all sync.WaitGroup
	errs := make([]error, len(workers))
	for i, w := range workers {
		all.Go(func() {
			for at, l := range w.links {
				if c.load.Rate == 0 && at != i%len(c.endpoints) {
					continue // in a closed loop a client keeps to one
				}
				if err := l.open(ctx); err != nil {
					errs[i] = w.broken(ctx, "connect", at, err)
					return
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// stop ends the run early. Only the first reason is kept.
func (r *run) stop(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped == nil {
		r.stopped = why
	}
	r.end = time.Time{}
	var failure *Failure
	if errors.As(why, &failure) {
		r.cancel()
	}
}

// over reports whether it is too late to start an operation at t.
func (r *run) over(t time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !t.Before(r.end)
}

// claim returns the number of the next operation, from 0; false if the limit is
// reached.
func (r *run) claim() (int64, bool) {
	n := r.next.Add(1) - 1
	return n, r.client.load.Limit == 0 || n < r.client.load.Limit
}

// closed runs one client's operations one after the other on its endpoint.
func (r *run) closed(ctx context.Context, w *worker) {
	endpoint := w.number % len(w.links)
	pause := time.Duration(0)
	for !r.over(time.Now()) && ctx.Err() == nil {
		if _, more := r.claim(); !more {
			return
		}
		j, err := w.ready(r.choice[w.rand.IntN(len(r.choice))], endpoint)
		if err != nil {
			r.stop(err)
			return
		}
		started := time.Now()
		o := w.do(ctx, j)
		o.intended, o.started = started, started
		// Operations that fail at once would fail a million times: back off a
		// little longer each time.
		pause = min(time.Second, max(10*time.Millisecond, 2*pause))
		if r.took(ctx, o) {
			pause = 0
		}
		if sleep.For(ctx, pause) != nil {
			return
		}
	}
	if ctx.Err() != nil {
		r.stop(ctx.Err())
	}
}

// took records an outcome and reports whether it was a success.
func (r *run) took(ctx context.Context, o outcome) bool {
	o.ended = time.Now()
	if o.fail != nil && o.fail.Class == Interrupted {
		r.stop(ctx.Err()) // interrupted: no failure of the store
		return false
	}
	r.rs.take(o)
	r.mu.Lock()
	if o.ended.After(r.last) {
		r.last = o.ended
	}
	r.mu.Unlock()
	if o.fail != nil && o.fail.Class.Fatal() {
		r.stop(o.fail)
	}
	return o.fail == nil
}

// open runs one client's operations at times fixed in advance. If all clients
// are busy they start late, and their latency counts from the fixed time.
func (r *run) open(ctx context.Context, w *worker) {
	load := r.client.load
	apart := float64(time.Second) / load.Rate
	for ctx.Err() == nil {
		n, more := r.claim()
		intended := r.start.Add(time.Duration(float64(n) * apart))
		if !more || r.over(intended) {
			return
		}
		op, endpoint := r.choice[w.rand.IntN(len(r.choice))], int(n%int64(len(w.links)))
		if now := time.Now(); now.After(r.start.Add(load.Duration + load.Drain)) {
			r.rs.never(op, endpoint, intended, now)
			continue
		}
		if sleep.For(ctx, time.Until(intended.Add(-early))) != nil {
			break
		}
		j, err := w.ready(op, endpoint)
		if err != nil {
			r.stop(err)
			return
		}
		if sleep.For(ctx, time.Until(intended)) != nil {
			w.undo(j)
			break
		}
		started := time.Now()
		o := w.do(ctx, j)
		o.intended, o.started = intended, started
		r.took(ctx, o)
	}
	if ctx.Err() != nil {
		r.stop(ctx.Err())
	}
}

// divisor returns the greatest common divisor of the weights.
func divisor(mix map[Op]int) int {
	d := 0
	for _, weight := range mix {
		for a := weight; a != 0; {
			d, a = a, d%a
		}
	}
	return max(d, 1)
}

// cpu is processor time in seconds.
type cpu struct{ user, system float64 }

// usage returns this process's CPU time.
func usage() cpu {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(fmt.Sprintf("getrusage: %v", err)) // it fails only for wrong arguments
	}
	return cpu{user: seconds(u.Utime), system: seconds(u.Stime)}
}

func seconds(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
