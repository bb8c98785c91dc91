package fio

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
)

// document is one JSON document of fio, versions 2 and 3.
type document struct {
	Version string  `json:"fio version"`
	Global  options `json:"global options"`
	Jobs    []job   `json:"jobs"`
	Clients []job   `json:"client_stats"`

	raw  []byte
	line int // of the output, where it begins
}

func (d document) isFio() bool {
	return d.Version != "" || d.Jobs != nil || d.Clients != nil
}

// jobs gives the jobs of a local run, or those of a server's clients with the
// sum over all of them first: the first figure of a metric is the whole.
func (d document) jobs() []job {
	jobs := withPath(d.Jobs, "jobs")
	clients := withPath(d.Clients, "client_stats")
	for i, c := range clients {
		if c.Name == allClients {
			clients = append([]job{c}, append(clients[:i:i], clients[i+1:]...)...)
			break
		}
	}
	return append(jobs, clients...)
}

// allClients is the name of fio's own sum over its clients.
const allClients = "All clients"

func withPath(jobs []job, list string) []job {
	out := make([]job, len(jobs))
	for i, j := range jobs {
		j.path = list + "/" + strconv.Itoa(i)
		out[i] = j
	}
	return out
}

// job is one job, or a group of them that fio added up.
type job struct {
	Name    string     `json:"jobname"`
	Group   number     `json:"groupid"`
	Error   number     `json:"error"`
	Errors  number     `json:"total_err"`
	Options options    `json:"job options"`
	Host    string     `json:"hostname"`
	Read    *direction `json:"read"`
	Write   *direction `json:"write"`
	Trim    *direction `json:"trim"`
	Mixed   *direction `json:"mixed"`

	Depths       map[string]number `json:"iodepth_level"` // percent
	Nanoseconds  map[string]number `json:"latency_ns"`
	Microseconds map[string]number `json:"latency_us"`
	Milliseconds map[string]number `json:"latency_ms"`

	path string // in the document: jobs/0
}

var directionNames = []string{"read", "write", "trim"}

// directions gives those of the job by name; nil where fio printed none.
func (j job) directions() map[string]*direction {
	return map[string]*direction{"read": j.Read, "write": j.Write, "trim": j.Trim}
}

// direction is what a job did in one direction.
type direction struct {
	IOBytes  number `json:"io_bytes"`  // B; in version 2 KiB
	IOKBytes number `json:"io_kbytes"` // KiB; absent in version 2
	BWBytes  number `json:"bw_bytes"`  // B/s; absent in version 2
	BW       number `json:"bw"`        // KiB/s
	IOPS     number `json:"iops"`
	Runtime  number `json:"runtime"`   // ms
	IOs      number `json:"total_ios"` // absent before 2.1.5

	SubmissionNS *latency `json:"slat_ns"` // version 3
	CompletionNS *latency `json:"clat_ns"`
	TotalNS      *latency `json:"lat_ns"`
	SubmissionUS *latency `json:"slat"` // version 2
	CompletionUS *latency `json:"clat"`
	TotalUS      *latency `json:"lat"`
}

// latency is one of fio's three latencies, in ns (version 3) or µs (version 2).
type latency struct {
	Min        number            `json:"min"`
	Max        number            `json:"max"`
	Mean       number            `json:"mean"`
	StdDev     number            `json:"stddev"`
	N          number            `json:"N"`
	Percentile map[string]number `json:"percentile"`
	Bins       map[string]number `json:"bins"`
}

// moved says whether anything was done in this direction.
func (d *direction) moved() bool {
	if d == nil {
		return false
	}
	if d.IOs.set {
		return d.IOs.v != 0
	}
	return d.IOBytes.v != 0
}

// bytes gives what was moved, in B. Where io_kbytes is beside it, io_bytes is in
// bytes; before that it was in KiB.
func (d *direction) bytes() (float64, error) {
	unit := 1024.0
	if d.IOKBytes.set || d.BWBytes.set {
		unit = 1
	}
	return d.IOBytes.notNegative("io_bytes", unit)
}

// bandwidth gives B/s.
func (d *direction) bandwidth() (float64, error) {
	if d.BWBytes.set {
		return d.BWBytes.above("bw_bytes", 1)
	}
	return d.BW.above("bw", 1024)
}

// pick gives the latency of whichever version printed it, its unit in s, and
// what that version appends to the key.
func pick(ns, us *latency) (l *latency, unit float64, suffix string) {
	if ns != nil {
		return ns, 1e-9, "_ns"
	}
	return us, 1e-6, ""
}

// options are the options that fio printed of itself.
type options map[string]string

// UnmarshalJSON takes whatever is an object of strings, and nothing else.
func (o *options) UnmarshalJSON(b []byte) error {
	var all map[string]any
	if json.Unmarshal(b, &all) != nil {
		return nil
	}
	*o = options{}
	for k, v := range all {
		switch v := v.(type) {
		case string:
			(*o)[k] = strings.TrimSpace(v)
		case float64:
			(*o)[k] = strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	return nil
}

// number is a number that may be absent. What is not a number is absent.
type number struct {
	v   float64
	set bool
}

// UnmarshalJSON reads a JSON number; anything else leaves it absent.
func (n *number) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseFloat(string(b), 64)
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%s is out of range", b)
	}
	if err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
		*n = number{v: v, set: true}
	}
	return nil
}

// notNegative gives the number times unit, or an error where it is absent or below 0.
func (n number) notNegative(key string, unit float64) (float64, error) {
	switch {
	case !n.set:
		return 0, fmt.Errorf("%s is missing: %w", key, assay.ErrNoOutput)
	case n.v < 0 || math.IsInf(n.v*unit, 0):
		return 0, fmt.Errorf("%s is %g, which cannot be", key, n.v)
	}
	return n.v * unit, nil
}

// above is notNegative for what must not be 0 either.
func (n number) above(key string, unit float64) (float64, error) {
	v, err := n.notNegative(key, unit)
	if err == nil && v <= 0 {
		err = fmt.Errorf("%s is 0 where operations were counted", key)
	}
	return v, err
}
