package fio

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
)

// Parse reads the step "measure": fio's JSON or json+ of versions 2 and 3. The
// last document is the figure, earlier ones (status intervals) its samples.
// Several jobs that fio did not group give figures each, told apart by the
// label job; of a server's clients, their sum comes first.
func (*Probe) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil, fmt.Errorf("the transcript has no step %q: %w", stepMeasure, assay.ErrNoOutput)
	}
	o, err := figuresOf(step)
	if err != nil {
		return nil, err
	}
	last := o.documents[len(o.documents)-1]
	if len(last.jobs()) == 0 {
		return nil, fmt.Errorf("fio's document names no job: %w", assay.ErrNoOutput)
	}
	lines := lineIndex(last.raw, last.line)
	names := uniqueNames(last.jobs())
	var all []assay.Measurement
	for i, j := range last.jobs() {
		f := figures{labels: labelsOf(step, last, j), lines: lines, path: j.path}
		f.options, _ = optionsOf(step, last, j)
		if names[i] != "" {
			f.labels["job"] = names[i]
		}
		if tr.Step(stepMeasureDirect) != nil {
			f.labels["note"] = "direct I/O refused"
		}
		if err := f.addJob(j, o.documents, i); err != nil {
			return nil, fmt.Errorf("job %s: %w", names[i], err)
		}
		all = append(all, f.all...)
	}
	return all, nil
}

// uniqueNames gives the jobs' names, with a number after those that occur twice.
func uniqueNames(jobs []job) []string {
	count := map[string]int{}
	for _, j := range jobs {
		count[j.Name+"\x00"+j.Host]++
	}
	seen := map[string]int{}
	var names []string
	for _, j := range jobs {
		key, label := j.Name+"\x00"+j.Host, j.Name
		if count[key] > 1 {
			seen[key]++
			label += "#" + strconv.Itoa(seen[key])
		}
		names = append(names, label)
	}
	return names
}

// figures collects the measurements of one job.
type figures struct {
	labels  map[string]string
	options options
	lines   map[string]int
	path    string
	all     []assay.Measurement
}

// add appends one measurement; at is its place in the job's JSON.
func (f *figures) add(metric string, v float64, unit assay.Unit, labels map[string]string, at string) *assay.Measurement {
	f.all = append(f.all, assay.Measurement{
		Metric: metric, Value: v, Unit: unit, Labels: labels, Line: f.lines[f.path+"/"+at],
	})
	return &f.all[len(f.all)-1]
}

func (f *figures) addJob(j job, documents []document, index int) error {
	if j.Mixed.moved() && !j.Read.moved() && !j.Write.moved() && !j.Trim.moved() {
		return assay.WithHint("run fio without unified_rw_reporting",
			"reads and writes were added up and cannot be told apart")
	}
	longest := 0.0
	for _, dir := range directionNames {
		d := j.directions()[dir]
		if !d.moved() {
			continue
		}
		seconds, err := d.Runtime.above("runtime", 1e-3)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		longest = max(longest, seconds)
		if err := f.addDirection(dir, d, windows(documents, index, dir)); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	if longest == 0 {
		return fmt.Errorf("fio completed no operation: %w", assay.ErrNoOutput)
	}
	f.add("tool.duration", longest, assay.Seconds, f.labels, "job_runtime")
	errs := 0.0
	if j.Errors.set {
		var err error
		if errs, err = j.Errors.notNegative("total_err", 1); err != nil {
			return err
		}
	}
	f.add("storage.errors", errs, assay.One, f.labels, "error")
	return f.addShares(j)
}

func (f *figures) addDirection(dir string, d *direction, w []window) error {
	bytes, err := d.bytes()
	if err != nil {
		return err
	}
	iops, err := d.IOPS.above("iops", 1)
	if err != nil {
		return err
	}
	bandwidth, err := d.bandwidth()
	if err != nil {
		return err
	}
	labels := maps.Clone(f.labels)
	if bs := blockLabel(f.options, dir, bytes, d.IOs.v); bs != "" {
		labels["bs"] = bs
	}
	stem := "storage." + dir + "."
	f.add(stem+"iops", iops, assay.PerSecond, labels, dir+"/iops").Samples = samples(w, func(w window) float64 { return w.ios })
	at := dir + "/bw_bytes"
	if !d.BWBytes.set {
		at = dir + "/bw"
	}
	f.add(stem+"bandwidth", bandwidth, assay.BytesPerSecond, labels, at).Samples = samples(w, func(w window) float64 { return w.bytes })
	if err := f.addLatencies(stem, dir, d, labels); err != nil {
		return err
	}
	f.add(stem+"bytes", bytes, assay.Bytes, labels, dir+"/io_bytes")
	if d.IOs.set {
		ios, err := d.IOs.above("total_ios", 1)
		if err != nil {
			return err
		}
		f.add(stem+"ios", ios, assay.One, labels, dir+"/total_ios")
	}
	return nil
}

// addLatencies adds what fio measured of the three latencies. One that it did
// not measure (no submission under a synchronous engine), or that is below its
// resolution, is absent.
func (f *figures) addLatencies(stem, dir string, d *direction, labels map[string]string) error {
	clat, unit, suffix := pick(d.CompletionNS, d.CompletionUS)
	key := "clat" + suffix
	if clat != nil {
		if clat.Min.v > clat.Max.v {
			return fmt.Errorf("%s: min %g is above max %g, which cannot be", key, clat.Min.v, clat.Max.v)
		}
		for _, m := range []struct {
			metric, key string
			n           number
		}{
			{"latency.mean", "mean", clat.Mean},
			{"latency.stddev", "stddev", clat.StdDev},
			{"latency.min", "min", clat.Min},
			{"latency.max", "max", clat.Max},
		} {
			added, err := f.addLatency(stem+m.metric, m.n, unit, labels, dir+"/"+key+"/"+m.key)
			if err != nil {
				return err
			}
			if added != nil && m.key == "mean" {
				if added.Histogram, err = histogram(clat, unit); err != nil {
					return err
				}
			}
		}
		if err := f.addPercentiles(stem, clat, unit, labels, dir+"/"+key+"/percentile"); err != nil {
			return err
		}
	}
	for _, other := range []struct {
		metric, key string
		ns, us      *latency
	}{
		{"latency.total.mean", "lat", d.TotalNS, d.TotalUS},
		{"latency.submission.mean", "slat", d.SubmissionNS, d.SubmissionUS},
	} {
		l, unit, suffix := pick(other.ns, other.us)
		if l == nil {
			continue
		}
		if _, err := f.addLatency(stem+other.metric, l.Mean, unit, labels, dir+"/"+other.key+suffix+"/mean"); err != nil {
			return err
		}
	}
	return nil
}

func (f *figures) addLatency(metric string, n number, unit float64, labels map[string]string, at string) (*assay.Measurement, error) {
	if !n.set || n.v == 0 {
		return nil, nil
	}
	v, err := n.notNegative(at, unit)
	if err != nil {
		return nil, err
	}
	return f.add(metric, v, assay.Seconds, labels, at), nil
}

func (f *figures) addPercentiles(stem string, l *latency, unit float64, labels map[string]string, at string) error {
	type point struct {
		p   float64
		key string
	}
	var points []point
	for key := range l.Percentile {
		p, err := strconv.ParseFloat(key, 64)
		if err != nil || !(p >= 0 && p <= 100) {
			return fmt.Errorf("%s is not a percentile", strconv.Quote(key))
		}
		if p > 0 { // version 2 fills its list with "0.00"
			points = append(points, point{p, key})
		}
	}
	slices.SortFunc(points, func(a, b point) int {
		if a.p != b.p {
			return int(math.Copysign(1, a.p-b.p))
		}
		return strings.Compare(a.key, b.key)
	})
	for i, pt := range points {
		if i > 0 && points[i-1].p == pt.p {
			continue
		}
		if _, err := f.addLatency(assay.PercentileMetric(stem, pt.p), l.Percentile[pt.key], unit, labels, at+"/"+pt.key); err != nil {
			return err
		}
	}
	return nil
}

// addShares adds the shares of operations by queue depth and by latency. A
// bucket that nothing fell into is left out. fio prints at least .01 % for a
// bucket that holds anything, and counts a ramp time's operations among those of
// a depth: the sums may pass 1.
func (f *figures) addShares(j job) error {
	shares := func(metric, label, key string, levels map[string]number, text func(string) string) error {
		for _, level := range slices.SortedFunc(maps.Keys(levels), byLevel) {
			percent, err := levels[level].notNegative(key+" "+level, 1)
			if err != nil {
				return err
			}
			if percent == 0 {
				continue
			}
			labels := maps.Clone(f.labels)
			labels[label] = text(level)
			f.add(metric, percent/100, assay.One, labels, key+"/"+level)
		}
		return nil
	}
	same := func(level string) string { return level }
	if err := shares("storage.iodepth.share", "level", "iodepth_level", j.Depths, same); err != nil {
		return err
	}
	for _, b := range []struct {
		key    string
		exp    string
		levels map[string]number
	}{
		{"latency_ns", "e-9", j.Nanoseconds}, {"latency_us", "e-6", j.Microseconds}, {"latency_ms", "e-3", j.Milliseconds},
	} {
		if err := shares("storage.latency_bucket.share", "upper", b.key, b.levels, upperLabel(b.exp)); err != nil {
			return err
		}
	}
	return nil
}

// upperLabel writes a bucket's upper bound in s; the last bucket has none.
func upperLabel(exp string) func(string) string {
	return func(level string) string {
		v, err := strconv.ParseFloat(level+exp, 64)
		if err != nil {
			return "inf"
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
}

// byLevel orders "2" before "10" before ">=64".
func byLevel(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	switch {
	case errX == nil && errY == nil && x != y:
		return x - y
	case errX == nil && errY != nil:
		return -1
	case errX != nil && errY == nil:
		return 1
	}
	return strings.Compare(a, b)
}
