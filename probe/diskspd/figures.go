package diskspd

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
)

var directions = []string{"read", "write"}

// percentiles are those that are requested of fio and that DiskSpd prints, in
// percent.
var percentiles = []float64{1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.9, 99.99}

// Parse parses the step "measure": DiskSpd's XML. All threads and all targets together give
// one figure per direction.
func (*Probe) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil, fmt.Errorf("the transcript has no step %q: %w", stepMeasure, assay.ErrNoOutput)
	}
	r, before, err := readResults(step.Output.Stdout)
	switch {
	case step.Output.Exit != 0:
		return nil, fmt.Errorf("DiskSpd failed: %s", said(step.Output))
	case err != nil:
		return nil, err
	case len(r.Spans) != 1:
		return nil, fmt.Errorf("DiskSpd's results are of %d time spans, not of one", len(r.Spans))
	case r.Spans[0].Error != "":
		return nil, fmt.Errorf("DiskSpd failed: %s", said(step.Output))
	}
	s := r.Spans[0]
	if s.Seconds.v < .01 { // the smallest value printed
		return nil, fmt.Errorf("DiskSpd measured for no time: %w", assay.ErrNoOutput)
	}
	f := figures{labels: labelsOf(r, step.Argv), span: s, before: before}
	for _, dir := range directions {
		f.addDirection(dir)
	}
	if len(f.all) == 0 {
		return nil, fmt.Errorf("DiskSpd completed no operations: %w", assay.ErrNoOutput)
	}
	f.add("tool.duration", s.Seconds, 1, assay.Seconds, f.labels)
	return f.all, nil
}

// said returns the message of a failed DiskSpd: its first line that is not part of the
// results.
func said(out assay.Output) string {
	begin, _, _ := strings.Cut(string(out.Stdout), string(opening))
	for line := range strings.Lines(string(out.Stderr) + "\n" + begin) {
		if line = strings.TrimSpace(line); line != "" {
			return fmt.Sprintf("%.300s", strings.ToValidUTF8(line, "?"))
		}
	}
	if r, _, err := readResults(out.Stdout); err == nil && len(r.Spans) == 1 && r.Spans[0].Error != "" {
		return fmt.Sprintf("%.300s", strings.TrimSpace(r.Spans[0].Error))
	}
	return "exit " + strconv.Itoa(out.Exit)
}

// figures collects the measurements of one span.
type figures struct {
	labels map[string]string
	span   span
	before int // lines before the XML
	all    []assay.Measurement
}

// add appends a figure of the XML, scaled to its base unit. It omits what DiskSpd rounded to
// zero.
func (f *figures) add(metric string, n number, scale float64, unit assay.Unit, labels map[string]string) *assay.Measurement {
	if n.v <= 0 {
		return &assay.Measurement{}
	}
	f.all = append(f.all, assay.Measurement{Metric: metric, Value: n.v * scale, Unit: unit, Labels: labels, Line: f.before + n.line})
	return &f.all[len(f.all)-1]
}

func (n number) per(seconds float64) number { return number{v: n.v / seconds, line: n.line} }

// of returns the value of one direction.
func of(dir string, read, write number) number {
	if dir == "read" {
		return read
	}
	return write
}

func (f *figures) addDirection(dir string) {
	var ios, bytes number
	for _, m := range f.span.Moved {
		count, moved := of(dir, m.ReadCount, m.WriteCount), of(dir, m.ReadBytes, m.WriteBytes)
		ios = number{v: ios.v + count.v, line: max(ios.line, count.line)}
		bytes = number{v: bytes.v + moved.v, line: max(bytes.line, moved.line)}
	}
	if ios.v <= 0 || bytes.v <= 0 {
		return
	}
	s, stem, labels, seconds := f.span, "storage."+dir+".", f.labels, f.span.Seconds.v
	rates := f.samples(dir)
	f.add(stem+"iops", ios.per(seconds), 1, assay.PerSecond, labels).Samples = rates
	bandwidth := slices.Clone(rates)
	for i := range bandwidth {
		bandwidth[i].Value *= bytes.v / ios.v
	}
	f.add(stem+"bandwidth", bytes.per(seconds), 1, assay.BytesPerSecond, labels).Samples = bandwidth
	f.add(stem+"latency.mean", of(dir, s.ReadMean, s.WriteMean), 1e-3, assay.Seconds, labels)
	f.add(stem+"latency.stddev", of(dir, s.ReadStdDev, s.WriteStdDev), 1e-3, assay.Seconds, labels)
	for _, c := range s.Centiles {
		took := of(dir, c.Read, c.Write)
		switch p := c.Percent.v; {
		case !c.Percent.set:
		case p == 0:
			f.add(stem+"latency.min", took, 1e-3, assay.Seconds, labels)
		case p == 100:
			f.add(stem+"latency.max", took, 1e-3, assay.Seconds, labels)
		case slices.Contains(percentiles, p):
			f.add(assay.PercentileMetric(stem, p), took, 1e-3, assay.Seconds, labels)
		}
	}
	f.add(stem+"bytes", bytes, 1, assay.Bytes, labels)
	f.add(stem+"ios", ios, 1, assay.One, labels)
	if len(s.Samples) > 1 {
		labels = maps.Clone(labels)
		labels["samples"] = strconv.Itoa(len(s.Samples))
		f.add(stem+"iops.stddev", of(dir, s.ReadRates, s.WriteRates), 1, assay.PerSecond, labels)
	}
}

// samples returns the rates of one direction over time, without a last one that the end cut
// short.
func (f *figures) samples(dir string) []assay.Sample {
	var all []assay.Sample
	last := 0.0
	for _, s := range f.span.Samples {
		at, rate := float64(s.Until)/1e3, float64(s.Read)
		if dir == "write" {
			rate = float64(s.Write)
		}
		if at > last && at <= f.span.Seconds.v+.05 {
			all = append(all, assay.Sample{At: at, Value: rate})
			last = at
		}
	}
	return all
}
