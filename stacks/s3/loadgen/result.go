package loadgen

import (
	"slices"
	"time"

	"assay/internal/order"
)

// Schema names the format of a Result. A change that older readers would
// misread gets another number.
const Schema = "assay.s3load/1"

// Result is the result of a load.
type Result struct {
	Schema  string    `json:"schema"`
	Load    Load      `json:"load"` // as it was asked for
	Bucket  string    `json:"bucket"`
	Payload Payload   `json:"payload"` // signed or unsigned, as it was done
	Started time.Time `json:"started"`
	// Elapsed is the time from the start to the end of the last operation, in
	// seconds. Rates are over it. It includes operations in flight when the
	// duration ended, so it is longer than that by at most one of them.
	Elapsed float64 `json:"elapsed"`
	// Stopped says why the load ended early; "" if it did not.
	Stopped string `json:"stopped,omitempty"`
	// Ops has a figure for each operation of the mix, Endpoints one for each
	// operation on each endpoint.
	Ops       []Figure `json:"ops"`
	Endpoints []Figure `json:"endpoints"`
	// Delay is how late operations of an open loop started, because all clients
	// were waiting for the store or this machine was busy.
	Delay *Histogram `json:"delay,omitempty"`
	// Unsent counts operations of an open loop that had not started when it gave
	// up. They count in the latencies with their wait so far, so the percentiles
	// are lower bounds.
	Unsent  int64         `json:"unsent,omitempty"`
	Clients []ClientUsage `json:"clients"`
}

// Figure holds the measurements of one operation.
type Figure struct {
	Op       Op         `json:"op"`
	Endpoint string     `json:"endpoint,omitempty"` // "" for all
	Ops      int64      `json:"ops"`                // that succeeded
	Bytes    int64      `json:"bytes"`              // of objects; of the answer for LIST
	Keys     int64      `json:"keys,omitempty"`     // that LIST gave
	PerSec   float64    `json:"ops_per_second"`
	Rate     float64    `json:"bytes_per_second"`
	Latency  *Histogram `json:"latency"`           // of successes, in an open loop from when they were meant to start
	Service  *Histogram `json:"service,omitempty"` // in an open loop: from when they did start
	First    *Histogram `json:"first_byte"`        // from the start to the first byte of the answer
	Failed   *Histogram `json:"failed"`            // of failures
	// Errors counts the failures by class, the most frequent first.
	Errors  []ErrorCount `json:"errors,omitempty"`
	Seconds []Second     `json:"seconds"` // by the second in which they ended
}

// ErrorCount counts the failures of one class.
type ErrorCount struct {
	Class   Class  `json:"class"`
	Count   int64  `json:"count"`
	Example string `json:"example"`
}

// Second counts what completed within one second of the run.
type Second struct {
	Ops   int64 `json:"ops"`
	Bytes int64 `json:"bytes"`
}

// ClientUsage is what one client process itself consumed.
type ClientUsage struct {
	Host        string  `json:"host"`
	User        float64 `json:"user"`   // CPU seconds
	System      float64 `json:"system"` // CPU seconds
	CPUs        int     `json:"cpus"`   // that it could use
	Elapsed     float64 `json:"elapsed"`
	Connections int64   `json:"connections"` // that were made while it measured
	Reconnects  int64   `json:"reconnects"`  // requests sent again because the store had closed an idle connection
}

// Busy returns the share of its CPUs that the client used; above some 0.8 it
// measures itself.
func (u ClientUsage) Busy() float64 {
	if u.Elapsed <= 0 || u.CPUs == 0 {
		return 0
	}
	return (u.User + u.System) / u.Elapsed / float64(u.CPUs)
}

// Figure returns the figure of an operation over all endpoints.
func (r Result) Figure(op Op) (Figure, bool) {
	at := slices.IndexFunc(r.Ops, func(f Figure) bool { return f.Op == op })
	if at < 0 {
		return Figure{}, false
	}
	return r.Ops[at], true
}

// Failures returns the number of failed operations.
func (r Result) Failures() int64 {
	var n int64
	for _, f := range r.Ops {
		for _, e := range f.Errors {
			n += e.Count
		}
	}
	return n
}

// add adds f to the figure of its operation and endpoint.
func add(all []Figure, f Figure, elapsed float64) []Figure {
	at := slices.IndexFunc(all, func(o Figure) bool { return o.Op == f.Op && o.Endpoint == f.Endpoint })
	if at < 0 {
		at = len(all)
		all = append(all, Figure{Op: f.Op, Endpoint: f.Endpoint})
	}
	sum := &all[at]
	sum.Ops += f.Ops
	sum.Bytes += f.Bytes
	sum.Keys += f.Keys
	sum.Latency = merged(sum.Latency, f.Latency)
	sum.Service = merged(sum.Service, f.Service)
	sum.First = merged(sum.First, f.First)
	sum.Failed = merged(sum.Failed, f.Failed)
	for _, e := range f.Errors {
		sum.Errors = count(sum.Errors, e)
	}
	order.Stable(sum.Errors, func(a, b ErrorCount) int { return int(b.Count - a.Count) })
	for i, s := range f.Seconds {
		if len(sum.Seconds) == i {
			sum.Seconds = append(sum.Seconds, Second{})
		}
		sum.Seconds[i].Ops += s.Ops
		sum.Seconds[i].Bytes += s.Bytes
	}
	if elapsed > 0 {
		sum.PerSec, sum.Rate = float64(sum.Ops)/elapsed, float64(sum.Bytes)/elapsed
	}
	return all
}

// merged returns the sum of two histograms; nil if both are nil.
func merged(a, b *Histogram) *Histogram {
	if a == nil && b == nil {
		return nil
	}
	m := NewHistogram()
	m.Merge(a)
	m.Merge(b)
	return m
}

// result builds the result of a run. An operation's figure is the sum over its
// endpoints.
func (c *Client) result(rs *recorders, started, ended time.Time) Result {
	r := Result{
		Schema: Schema, Load: c.load, Bucket: c.target.Bucket, Payload: c.payload(), Started: started.UTC(),
		Elapsed: ended.Sub(started).Seconds(), Delay: rs.delay, Unsent: rs.unsent,
	}
	for _, op := range Ops {
		for i, rec := range rs.all[op] {
			f := Figure{
				Op: op, Endpoint: c.endpoints[i].name, Ops: rec.ops, Bytes: rec.bytes, Keys: rec.keys,
				Latency: rec.latency, Service: rec.service, First: rec.first, Failed: rec.failed,
				Errors: rec.errors, Seconds: rec.seconds,
			}
			r.Endpoints = add(r.Endpoints, f, r.Elapsed)
			f.Endpoint = ""
			r.Ops = add(r.Ops, f, r.Elapsed)
		}
	}
	return r
}
