package warp

import (
	"fmt"
	"math"
	"strconv"

	"assay"
	"assay/internal/jsondoc"
)

const millisecond = 1e-3

// fromJSON parses the output of warp analyze --json.
func fromJSON(text []byte) ([]report, error) {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, fmt.Errorf("warp: %w", err)
	}
	var all []report
	var first error
	one := func(op string, n jsondoc.Node) {
		r, err := decoder{}.report(op, n)
		if err != nil && first == nil {
			first = fmt.Errorf("warp's %w", err)
		}
		if err == nil {
			all = append(all, r)
		}
	}
	for _, n := range doc.At("operations").List() {
		one(n.At("type").Text(), n)
	}
	doc.At("by_op_type").Fields(one)
	if first != nil {
		return nil, first
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("warp: %w: the document has no operations", assay.ErrNoOutput)
	}
	mixed, _ := doc.At("mixed").Bool()
	for i := range all { // since 1.0 the preparation is not reported
		all[i].mixed = (mixed || doc.At("by_op_type").Exists()) && len(all) > 1
	}
	return all, nil
}

// decoder reads numbers and keeps the first error.
type decoder struct{ err error }

func (d *decoder) figure(n jsondoc.Node, name string, unit float64) figure {
	n = n.At(name)
	v, ok, err := n.NotNegative(name, unit)
	if err != nil && d.err == nil {
		d.err = err
	}
	if !ok || v > 1e18 {
		return figure{}
	}
	return figure{v, n.Line()}
}

func (d decoder) report(op string, n jsondoc.Node) (report, error) {
	r := report{op: op, line: n.Line()}
	if skipped, _ := n.At("skipped").Bool(); skipped {
		r.why = errTooFew
		return r, nil
	}
	r.concurrency = whole(d.figure(n, "concurrency", 1))
	r.hosts = hostCount(d.figure(n, "hosts", 1), n.At("hosts"))
	r.errors = either(d.figure(n, "total_errors", 1), d.figure(n, "errors", 1))
	r.requests = d.figure(n, "total_requests", 1)
	d.throughput(&r, n.At("throughput"))
	var windows []jsondoc.Node
	if single := n.At("single_sized_requests"); single.Exists() {
		windows = append(windows, single)
	}
	n.At("requests_by_client").Fields(func(_ string, client jsondoc.Node) {
		for _, w := range client.List() {
			if single := w.At("single_sized_requests"); single.Exists() {
				windows = append(windows, single)
			}
		}
	})
	d.windows(&r, windows)
	return r, d.err
}

// throughput reads the means over the run, and the samples of each second.
func (d *decoder) throughput(r *report, n jsondoc.Node) {
	r.duration = d.figure(n, "measure_duration_millis", millisecond)
	r.throughput, r.ops = d.figure(n, "average_bps", 1), d.figure(n, "average_ops", 1)
	if r.throughput.line == 0 && r.ops.line == 0 && r.duration.known() {
		r.throughput, r.ops = d.figure(n, "bytes", 1/r.duration.value), d.figure(n, "objects", 1/r.duration.value)
	}
	each := d.figure(n.At("segmented"), "segment_duration_millis", millisecond)
	for i, s := range n.At("segmented", "segments").List() {
		if v, ok := s.At("bytes_per_sec").Number(); ok && each.known() && v >= 0 {
			r.samples = append(r.samples, assay.Sample{At: float64(i+1) * each.value, Value: v})
		}
	}
}

// windows combines the windows of the run: means weighted by their requests,
// and the overall minimum and maximum. The percentiles of several windows
// cannot give one of the whole run: their mean is what warp prints.
func (d *decoder) windows(r *report, all []jsondoc.Node) {
	type sum struct {
		figure
		weight float64
	}
	var mean, first, stddev sum
	add := func(to *sum, f figure, weight float64) {
		if f.known() {
			to.value, to.weight, to.line = to.value+f.value*weight, to.weight+weight, max(to.line, f.line)
		}
	}
	percentiles := map[float64]*sum{50: {}, 90: {}, 99: {}, 99.9: {}}
	for _, w := range all {
		// Windows that were already merged hold the sums of their means.
		merged := max(d.figure(w, "merged_entries", 1).value, 1)
		if d.figure(w, "dur_sum_millis", 1).line > 0 {
			merged = 1 // newer versions have true means
		}
		n := d.figure(w, "requests", 1)
		weight := max(n.value, 1)
		add(&mean, d.figure(w, "dur_avg_millis", millisecond/merged), weight)
		add(&stddev, d.figure(w, "std_dev_millis", millisecond/merged), 1)
		add(&first, d.figure(w.At("first_byte"), "average_millis", millisecond/merged), weight)
		for p, name := range map[float64]string{50: "dur_median_millis", 90: "dur_90_millis", 99: "dur_99_millis", 99.9: "dur_999_millis"} {
			add(percentiles[p], d.figure(w, name, millisecond/merged), 1)
		}
		r.least = lesser(r.least, d.figure(w, "fastest_millis", millisecond))
		if most := d.figure(w, "slowest_millis", millisecond); most.value > r.most.value {
			r.most = most
		}
		if r.requests.line == 0 {
			r.requests = n
		}
		if r.size == "" {
			r.size = whole(d.figure(w, "obj_size", 1/merged))
		}
	}
	divided := func(s sum) figure { return figure{s.value / max(s.weight, 1), s.line} }
	r.mean, r.firstByte, r.windows = divided(mean), divided(first), len(all)
	if len(all) == 1 {
		r.stddev = divided(stddev)
	}
	for _, p := range []float64{50, 90, 99, 99.9} {
		if percentiles[p].line > 0 {
			r.percentiles = append(r.percentiles, percentile{p, divided(*percentiles[p])})
		}
	}
}

func lesser(a, b figure) figure {
	if !a.known() || b.known() && b.value < a.value {
		return b
	}
	return a
}

func either(a, b figure) figure {
	if a.line == 0 {
		return b
	}
	return a
}

// whole formats a count, or returns "" if there is none.
func whole(f figure) string {
	if !f.known() || f.value != math.Trunc(f.value) {
		return ""
	}
	return strconv.FormatFloat(f.value, 'f', 0, 64)
}

// hostCount reads a number, or a list of names.
func hostCount(f figure, n jsondoc.Node) string {
	if names := n.List(); len(names) > 0 {
		return strconv.Itoa(len(names))
	}
	return whole(f)
}
