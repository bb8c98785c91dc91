package warp

import (
	"fmt"
	"maps"
	"math"
	"strconv"

	"assay"
)

// figure is a value in base units with its line number.
type figure struct {
	value float64
	line  int
}

func (f figure) known() bool { return f.line > 0 && f.value > 0 && !math.IsInf(f.value, 0) }

// report is warp's report on one kind of request.
type report struct {
	op          string // warp's name: GET, STAT
	line        int    // of its heading
	concurrency string
	size        string // B per object
	hosts       string
	clients     string // instances of warp
	share       string // of all requests, if several kinds were mixed
	mixed       bool   // at the same time as others, by the same clients
	why         error  // why it has no figures, from warp

	ops, throughput      figure
	mean, stddev         figure
	least, most          figure
	firstByte            figure
	requests, errors     figure
	duration             figure
	percentiles          []percentile
	slowest              figure // operations in the slowest second
	windows              int    // that percentiles are the means of; 0: unknown
	samples              []assay.Sample
	hostsOps, hostsBytes figure // sums over the hosts
}

type percentile struct {
	of float64 // 0..100
	figure
}

// stems maps warp's operations to those of the vocabulary. POST is an upload by
// form.
var stems = map[string]string{"PUT": "put", "POST": "put", "GET": "get", "DELETE": "delete", "STAT": "head", "LIST": "list"}

// measurements returns the report's known figures, or an error if there are none.
func (r report) measurements(asked options) ([]assay.Measurement, error) {
	stem := stems[r.op]
	if stem == "" {
		return nil, fmt.Errorf("warp's line %d: unexpected %s requests", r.line, r.op)
	}
	if !r.ops.known() && !r.throughput.known() {
		r.ops, r.throughput = r.hostsOps, r.hostsBytes
	}
	labels := r.labels(asked)
	var out []assay.Measurement
	add := func(name string, f figure, unit assay.Unit) {
		if f.known() {
			out = append(out, assay.Measurement{Metric: name, Value: f.value, Unit: unit, Labels: maps.Clone(labels), Line: f.line})
		}
	}
	p := "object." + stem + "."
	add(p+"throughput", r.throughput, assay.BytesPerSecond)
	if len(out) > 0 {
		out[0].Samples = r.samples
	}
	add(p+"ops", r.ops, assay.PerSecond)
	add(p+"latency.mean", r.mean, assay.Seconds)
	add(p+"latency.stddev", r.stddev, assay.Seconds)
	add(p+"latency.min", r.least, assay.Seconds)
	add(p+"latency.max", r.most, assay.Seconds)
	add(p+"first_byte.mean", r.firstByte, assay.Seconds)
	for _, q := range r.percentiles {
		before := len(out)
		add(assay.PercentileMetric(p, q.of), q.figure, assay.Seconds)
		if len(out) > before && r.windows > 1 {
			out[before].Labels["percentiles"] = "means of " + strconv.Itoa(r.windows) + " windows"
		}
	}
	if len(out) == 0 {
		if r.why == nil {
			r.why = fmt.Errorf("%w: no figures; the output is truncated or no operations were performed", assay.ErrNoOutput)
		}
		return nil, fmt.Errorf("warp's line %d: %s: %w", r.line, r.op, r.why)
	}
	add(p+"requests", r.requests, assay.One)
	if r.slowest.line > 0 && r.ops.known() { // it may have had none
		out = append(out, assay.Measurement{Metric: p + "ops.min", Value: r.slowest.value, Unit: assay.PerSecond, Labels: maps.Clone(labels), Line: r.slowest.line})
	}
	if r.errors.line > 0 { // zero counts here
		out = append(out, assay.Measurement{Metric: p + "errors", Value: r.errors.value, Unit: assay.One, Labels: maps.Clone(labels), Line: r.errors.line})
	}
	add("tool.duration", r.duration, assay.Seconds)
	return out, nil
}

// labels returns what warp printed, and what its command line adds.
func (r report) labels(asked options) map[string]string {
	labels := map[string]string{"tool": tool, "loop": "closed", "op": r.op, "job": jobOf(r.op)}
	if r.mixed {
		labels["mixed"] = "yes"
	}
	for name, values := range map[string][]string{
		"concurrency": {r.concurrency, asked.concurrent}, "object_size": {r.size, asked.size}, "hosts": {r.hosts},
		"clients": {r.clients}, "share": {r.share}, "endpoint": {asked.host}, "rate": {asked.rate},
	} {
		for _, v := range values {
			if v != "" {
				labels[name] = v
				break
			}
		}
	}
	return labels
}

// jobOf distinguishes the kinds of request in one output.
func jobOf(op string) string {
	if op == "POST" {
		return "post"
	}
	return stems[op]
}
