package warp

import (
	"fmt"
	"maps"
	"math"
	"strconv"

	"assay"
)

// figure is a value in base units with the line it stands on.
type figure struct {
	value float64
	line  int
}

func (f figure) known() bool { return f.line > 0 && f.value > 0 && !math.IsInf(f.value, 0) }

// report is what warp says of one kind of request.
type report struct {
	op          string // as warp calls it: GET, STAT
	line        int    // of its heading
	concurrency string
	size        string // B of one object
	hosts       string
	clients     string // instances of warp
	share       string // of all requests, where several kinds were mixed
	mixed       bool   // at the same time as others, by the same clients
	why         error  // why it has no figures, as warp says

	ops, throughput      figure
	mean, stddev         figure
	least, most          figure
	firstByte            figure
	requests, errors     figure
	duration             figure
	percentiles          []percentile
	slowest              figure // operations in the slowest second
	windows              int    // that percentiles are the means of; 0 not known
	samples              []assay.Sample
	hostsOps, hostsBytes figure // the sums over the hosts
}

type percentile struct {
	of float64 // 0..100
	figure
}

// stems are the operations that the vocabulary knows. POST is an upload by form.
var stems = map[string]string{"PUT": "put", "POST": "put", "GET": "get", "DELETE": "delete", "STAT": "head", "LIST": "list"}

// measurements returns what is known of the report; an error where that is nothing.
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
	if r.slowest.line > 0 && r.ops.known() { // there may be none in it
		out = append(out, assay.Measurement{Metric: p + "ops.min", Value: r.slowest.value, Unit: assay.PerSecond, Labels: maps.Clone(labels), Line: r.slowest.line})
	}
	if r.errors.line > 0 { // none is a figure here
		out = append(out, assay.Measurement{Metric: p + "errors", Value: r.errors.value, Unit: assay.One, Labels: maps.Clone(labels), Line: r.errors.line})
	}
	add("tool.duration", r.duration, assay.Seconds)
	return out, nil
}

// labels are what warp printed, and what its command line says beyond it.
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

// jobOf tells the kinds of request of one output apart.
func jobOf(op string) string {
	if op == "POST" {
		return "post"
	}
	return stems[op]
}
