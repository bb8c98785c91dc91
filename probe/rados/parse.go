package rados

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"assay"
)

const mebi = 1 << 20

// Parse reads the output of rados bench of Ceph 0.8x to 19. It fails if rados
// bench failed, if no operation was done, or if a read cannot be told from a
// write. If the summary is missing, it returns the averages up to the last whole
// second, with the label cut. An impossible minimum or maximum is left out, and
// returned as an error beside the other figures.
func (reader) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step("measure")
	if step == nil {
		return nil, fmt.Errorf("rados: %w: the transcript has no step %q", assay.ErrNoOutput, "measure")
	}
	doc, first, err := document(step.Output.Stdout)
	if err != nil {
		return nil, err
	}
	var columns []printed
	if doc != nil {
		columns, err = readJSON(doc, first)
	} else {
		columns, err = readText(string(step.Output.Stdout))
	}
	if err != nil {
		return nil, err
	}
	a := command(step.Argv)
	var all []assay.Measurement
	var nonsense error
	for _, p := range columns {
		p.complete(p.typed) // takes precedence: it is closer to the output
		p.complete(a)
		measured, err := p.measurements()
		if err != nil {
			return nil, err
		}
		all = append(all, measured...)
		if nonsense == nil {
			nonsense = p.nonsense
		}
	}
	if tr.Settings["op"] != "" {
		return append(labelOwn(all), commits(tr)...), nil
	}
	return all, nonsense
}

// metrics are the words that are figures, with the unit they are printed in.
var metrics = []struct {
	word  word
	name  string
	scale float64
	unit  assay.Unit
}{
	{bandwidth, "bandwidth", mebi, assay.BytesPerSecond},
	{bandwidthStddev, "bandwidth.stddev", mebi, assay.BytesPerSecond},
	{bandwidthMin, "bandwidth.min", mebi, assay.BytesPerSecond},
	{bandwidthMax, "bandwidth.max", mebi, assay.BytesPerSecond},
	{iops, "iops", 1, assay.PerSecond},
	{iopsStddev, "iops.stddev", 1, assay.PerSecond},
	{iopsMin, "iops.min", 1, assay.PerSecond},
	{iopsMax, "iops.max", 1, assay.PerSecond},
	{latency, "latency.mean", 1, assay.Seconds},
	{latencyStddev, "latency.stddev", 1, assay.Seconds},
	{latencyMin, "latency.min", 1, assay.Seconds},
	{latencyMax, "latency.max", 1, assay.Seconds},
	{opsMade, "ios", 1, assay.One},
}

func (p printed) measurements() ([]assay.Measurement, error) {
	f := p.figures
	if f[bandwidth].line == 0 && len(p.rows) > 0 {
		return p.unfinished()
	}
	if f[bandwidth].line == 0 && f[iops].line == 0 && f[latency].line == 0 {
		return nil, fmt.Errorf("rados bench: %w: no bandwidth, no IOPS, no latency", assay.ErrNoOutput)
	}
	for _, w := range []word{opsMade, bandwidth, totalTime} {
		if f[w].line != 0 && f[w].value == 0 {
			return nil, assay.WithHint("run it for longer", "rados bench's line %d: no operations were performed", f[w].line)
		}
	}
	stem, err := p.stem()
	if err != nil {
		return nil, err
	}
	// The mean is truncated to a whole number: 0 if an operation takes over a
	// second.
	if f[iops].line != 0 && f[iops].value == 0 {
		if f[iops] = (figure{}); f[totalTime].line != 0 && f[opsMade].line != 0 {
			f[iops] = figure{f[opsMade].value / f[totalTime].value, f[opsMade].line}
		}
	}
	labels := p.labels()
	var all []assay.Measurement
	for _, m := range metrics {
		if v := f[m.word]; v.line != 0 {
			one := measured(stem+m.name, v.value*m.scale, m.unit, v.line, labels)
			if m.word == bandwidth {
				one.Samples = p.samples()
			}
			all = append(all, one)
		}
	}
	if size, err := strconv.ParseFloat(p.opSize, 64); err == nil && size > 0 && f[opsMade].line != 0 {
		all = append(all, measured(stem+"bytes", f[opsMade].value*size, assay.Bytes, f[opsMade].line, labels))
	}
	if v := f[totalTime]; v.line != 0 {
		all = append(all, measured("tool.duration", v.value, assay.Seconds, v.line, labels))
	}
	return all, nil
}

// unfinished returns the figures of the running table up to its last whole
// second.
func (p printed) unfinished() ([]assay.Measurement, error) {
	last := p.rows[len(p.rows)-1]
	if last.second <= 0 || last.finished <= 0 || last.average <= 0 {
		return nil, assay.WithHint("let it run to its end", "rados bench's line %d: the output ends before an operation finished", last.line)
	}
	stem, err := p.stem()
	if err != nil {
		return nil, err
	}
	labels := p.labels()
	labels["cut"] = "after " + whole(last.second) + " s"
	labels["interrupted"] = "the output ends before its summary"
	if p.seconds != "" {
		labels["asked"] = p.seconds
	}
	speed := measured(stem+"bandwidth", last.average*mebi, assay.BytesPerSecond, last.line, labels)
	speed.Samples = p.samples()
	all := []assay.Measurement{
		speed,
		measured(stem+"ios", last.finished, assay.One, last.line, labels),
		measured("tool.duration", last.second, assay.Seconds, last.line, labels),
	}
	if last.latency > 0 {
		all = append(all, measured(stem+"latency.mean", last.latency, assay.Seconds, last.line, labels))
	}
	return all, nil
}

var errDirection = errors.New("cannot tell whether it read or wrote")

func (p printed) stem() (string, error) {
	if p.op == "" {
		return "", assay.WithHint("include rados bench's command line with its output", "rados bench: %w", errDirection)
	}
	return "pool." + p.op + ".", nil
}

// labels describes what happened. op is seq or rand for a read, if the command
// line says which.
func (p printed) labels() map[string]string {
	op := p.op
	if op == "read" {
		op = p.order
	}
	labels := map[string]string{"tool": "rados"}
	for key, v := range map[string]string{
		"op": op, "job": p.job, "clients": p.clients, "threads": p.threads, "pool": p.pool, "prefix": p.prefix,
		"bs": p.opSize, "object_size": p.objectSize,
	} {
		if v != "" {
			labels[key] = v
		}
	}
	return labels
}

// samples returns the bytes of each second. They are computed from the finished
// operations: after a stall, the table's own figure is an average over all of
// it.
func (p printed) samples() []assay.Sample {
	size, err := strconv.ParseFloat(p.opSize, 64)
	known := err == nil && size > 0
	var all []assay.Sample
	before := row{}
	for _, r := range p.rows {
		if r.second <= before.second || r.finished < before.finished {
			before = r
			continue
		}
		v := r.current * mebi
		if known {
			v = (r.finished - before.finished) * size / (r.second - before.second)
		}
		if v >= 0 {
			all = append(all, assay.Sample{At: r.second, Value: v})
		}
		before = r
	}
	return all
}

func measured(metric string, v float64, unit assay.Unit, line int, labels map[string]string) assay.Measurement {
	return assay.Measurement{Metric: metric, Value: v, Unit: unit, Labels: maps.Clone(labels), Line: line}
}

// labelOwn marks what assay's own runs read as just written. Impossible figures of a
// run that was too short for them are left out without an error.
func labelOwn(all []assay.Measurement) []assay.Measurement {
	for _, m := range all {
		if strings.HasPrefix(m.Metric, "pool.read.") {
			m.Labels["cache"] = "warm: this run wrote the objects"
		}
	}
	return all
}
