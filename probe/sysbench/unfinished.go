package sysbench

import (
	"strings"

	"assay"
)

// stopped reports whether there are rows of a running test but no totals:
// sysbench prints none when it is interrupted or after a fatal error.
func (p printed) stopped() bool {
	return p.duration.line == 0 && p.rate.line == 0 && p.bytes.line == 0 && p.files.reads.line == 0 && p.files.writes.line == 0 &&
		p.database.rate.line == 0 && len(p.samples)+len(p.files.reading)+len(p.database.rows) > 0
}

// unfinished returns the means of the rows up to the last one.
func unfinished(p printed, step assay.Step) ([]assay.Measurement, error) {
	words := options(step.Argv)
	why := firstLine(step.Output, func(line string) bool { return strings.HasPrefix(line, "FATAL: ") })
	if why == "" {
		why = "the output ends before its summary"
	}
	var out []assay.Measurement
	switch kind := kindOf(p, nil, step.Argv); {
	case len(p.files.reading) > 0:
		out = p.files.unfinished(p, words)
	case len(p.database.rows) > 0:
		t := p.database
		out = partly(nil, "database.transactions", assay.PerSecond, t.rows, t.lastRow, t.labels(p, step.Argv))
	case p.another != "":
		return nil, assay.WithHint(hintTests, "sysbench %s is not supported", p.another)
	case kind == kindCPU:
		labels := commonLabels(p, words)
		put(labels, "prime", p.prime, words["cpu-max-prime"])
		out = partly(nil, "cpu.events_per_second", assay.PerSecond, p.samples, p.lastRow, labels)
	case kind == kindMemory:
		op, err := operation(p, nil, words)
		if err != nil {
			return nil, err
		}
		labels := memoryLabels(p, nil, words)
		labels["op"] = op
		out = partly(nil, "memory."+op+".bandwidth", assay.BytesPerSecond, p.samples, p.lastRow, labels)
	default:
		return nil, errWhichTest()
	}
	if len(out) == 0 {
		return nil, assay.WithHint("let it run to its end", "sysbench's line %d: the output ends before anything was done", max(p.lastRow, p.files.lastRow, p.database.lastRow))
	}
	for _, m := range out {
		m.Labels["interrupted"] = why
		put(m.Labels, "asked", words["time"], words["max-time"])
	}
	return out, nil
}

// unfinished returns the figures of the direction that moved data. With
// asynchronous I/O sysbench's rows report writes as reads: in a test with one
// direction, they belong to that one.
func (f *files) unfinished(p printed, words map[string]string) []assay.Measurement {
	labels := f.labels(p, words)
	reading, writing := f.reading, f.writing
	switch strings.TrimPrefix(f.pattern, "rand") {
	case "read":
		if _, moved := mean(reading); moved == 0 {
			reading, writing = writing, nil
		}
	case "write":
		if _, moved := mean(writing); moved == 0 {
			reading, writing = nil, reading
		}
	}
	out := partly(nil, "storage.read.bandwidth", assay.BytesPerSecond, reading, f.lastRow, labels)
	out = partly(out, "storage.write.bandwidth", assay.BytesPerSecond, writing, f.lastRow, labels)
	return partly(out, "storage.sync.iops", assay.PerSecond, f.flushing, f.lastRow, labels)
}

// partly adds the mean of the rows, if they show any work, and their length,
// once.
func partly(out []assay.Measurement, metric string, unit assay.Unit, samples []assay.Sample, line int, labels map[string]string) []assay.Measurement {
	seconds, value := mean(samples)
	if value <= 0 {
		return out
	}
	one := measured(metric, figure{value, line}, unit, labels)
	one.Samples = samples
	if len(out) == 0 {
		out = []assay.Measurement{measured("tool.duration", figure{seconds, line}, assay.Seconds, labels)}
	}
	return append([]assay.Measurement{one}, out...)
}

// mean returns the mean of the rows, over all the time up to the last.
func mean(samples []assay.Sample) (seconds, value float64) {
	for _, s := range samples {
		if s.At > seconds {
			value += s.Value * (s.At - seconds)
			seconds = s.At
		}
	}
	if seconds == 0 {
		return 0, 0
	}
	return seconds, value / seconds
}
