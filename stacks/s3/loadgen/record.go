package loadgen

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// tally counts what no single operation accounts for.
type tally struct {
	connections atomic.Int64
	reconnects  atomic.Int64
}

// outcome is the result of one operation.
type outcome struct {
	op       Op
	endpoint int
	intended time.Time // intended start; the actual one in a closed loop
	started  time.Time
	first    time.Time // first byte of the response; zero if there was none or several
	ended    time.Time
	bytes    int64 // object bytes over the wire; response bytes for LIST
	keys     int64 // listed by a LIST
	fail     *Failure
}

// recorder collects the outcomes of one operation on one endpoint.
type recorder struct {
	mu      sync.Mutex
	ops     int64
	bytes   int64
	keys    int64
	latency *Histogram
	first   *Histogram
	service *Histogram // nil in a closed loop, where it equals the latency
	failed  *Histogram
	errors  []ErrorCount
	seconds []Second
}

// recorders are a run's recorders, by operation and endpoint.
type recorders struct {
	began time.Time
	all   map[Op][]*recorder
	delay *Histogram // how late operations started, in an open loop
	mu    sync.Mutex // for delay and unsent
	// unsent counts the operations that were due but never started.
	unsent int64
}

func newRecorders(l Load, endpoints int) *recorders {
	rs := &recorders{all: map[Op][]*recorder{}}
	if l.Rate > 0 {
		rs.delay = NewHistogram()
	}
	for _, op := range Ops {
		if l.Mix[op] == 0 {
			continue
		}
		for range endpoints {
			r := &recorder{latency: NewHistogram(), first: NewHistogram(), failed: NewHistogram()}
			if l.Rate > 0 {
				r.service = NewHistogram()
			}
			rs.all[op] = append(rs.all[op], r)
		}
	}
	return rs
}

// take records an outcome.
func (rs *recorders) take(o outcome) {
	if rs.delay != nil {
		rs.mu.Lock()
		rs.delay.Record(o.started.Sub(o.intended))
		rs.mu.Unlock()
	}
	r := rs.all[o.op][o.endpoint]
	r.mu.Lock()
	defer r.mu.Unlock()
	if o.fail != nil {
		r.failed.Record(o.ended.Sub(o.intended))
		r.errors = count(r.errors, ErrorCount{Class: o.fail.Class, Count: 1, Example: o.fail.Error()})
		return
	}
	r.ops++
	r.bytes += o.bytes
	r.keys += o.keys
	r.latency.Record(o.ended.Sub(o.intended))
	if r.service != nil {
		r.service.Record(o.ended.Sub(o.started))
	}
	if !o.first.IsZero() {
		r.first.Record(o.first.Sub(o.started))
	}
	at := int(max(0, o.ended.Sub(rs.began)) / time.Second)
	if at >= len(r.seconds) {
		r.seconds = append(r.seconds, make([]Second, at+1-len(r.seconds))...)
	}
	r.seconds[at].Ops++
	r.seconds[at].Bytes += o.bytes
}

// never records an operation that was due at intended and had not started by
// now: it would have taken at least this long.
func (rs *recorders) never(op Op, endpoint int, intended, now time.Time) {
	rs.mu.Lock()
	rs.unsent++
	rs.mu.Unlock()
	r := rs.all[op][endpoint]
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latency.Record(now.Sub(intended))
}

// count adds e to the counts of its class.
func count(all []ErrorCount, e ErrorCount) []ErrorCount {
	at := slices.IndexFunc(all, func(o ErrorCount) bool { return o.Class == e.Class })
	if at < 0 {
		return append(all, e)
	}
	all[at].Count += e.Count
	return all
}
