package rbd

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"assay"
)

// Parse reads the output of rbd bench, or bench-write, of Ceph 10 to 19. It fails
// if rbd did, if nothing was done, or if a read cannot be told from a write. If
// the sum is missing, it returns the mean over the whole seconds of the table,
// with the label cut.
func (reader) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step("measure")
	if step == nil {
		return nil, fmt.Errorf("rbd: %w: the transcript has no step %q", assay.ErrNoOutput, "measure")
	}
	p, err := read(string(step.Output.Stdout))
	if err != nil {
		return nil, err
	}
	p.complete(step.Argv)
	return p.measurements()
}

// second is a row of the table: operations since the beginning.
type second struct {
	line    int
	at, ops float64
}

// sum holds the totals of a run, or of half a mixed one.
type sum struct {
	line        int
	ops, perSec float64
	bytesPerSec float64
}

// printed holds what rbd bench printed, as printed; what was not printed is ""
// or 0.
type printed struct {
	kind    string // read, write, readwrite, …
	pattern string // sequential, random
	size    string // B
	threads string
	pool    string
	bytes   string // B to move, as requested
	timed   bool   // meant to be ended by a timeout
	rows    []second
	all     sum
	halves  map[string]sum
}

func read(text string) (printed, error) {
	p := printed{halves: map[string]sum{}}
	inTable := false
	for i, line := range strings.Split(text, "\n") {
		n, line := i+1, strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if fault.MatchString(line) {
			return p, fmt.Errorf("rbd's line %d: %.120s", n, line)
		}
		if m := head.FindStringSubmatch(line); m != nil {
			p.kind, p.size, p.threads, p.bytes, p.pattern = m[1], m[2], m[3], m[4], m[5]
			if strings.HasPrefix(line, "bench-write") {
				p.kind = "write"
			}
			continue
		}
		if table.MatchString(line) {
			inTable = p.all.line == 0
			continue
		}
		if m := total.FindStringSubmatch(line); m != nil {
			if p.all.line != 0 {
				return p, assay.WithHint("paste the output of one rbd bench at a time", "rbd's line %d: a second total: several results in one output", n)
			}
			s, err := sumOf(m[2:], n)
			if err != nil {
				return p, err
			}
			p.all, inTable = s, false
			continue
		}
		if m := mixed.FindStringSubmatch(line); m != nil {
			s, err := sumOf(m[2:], n)
			if err != nil {
				return p, err
			}
			p.halves[m[1]] = s
			continue
		}
		if m := row.FindStringSubmatch(line); m != nil && inTable {
			at, errAt := strconv.ParseFloat(m[1], 64)
			ops, errOps := strconv.ParseFloat(m[2], 64)
			if errAt != nil || errOps != nil || ops > 1e15 || at > 1e9 {
				return p, fmt.Errorf("rbd's line %d: %.60s is impossible", n, line)
			}
			p.rows = append(p.rows, second{n, at, ops})
		}
	}
	return p, nil
}

// sumOf parses operations, ops/s, bytes/s and their prefix.
func sumOf(m []string, line int) (sum, error) {
	s := sum{line: line}
	for i, to := range []*float64{&s.ops, &s.perSec, &s.bytesPerSec} {
		v, err := strconv.ParseFloat(m[i], 64)
		if err != nil || !(v >= 0 && v < 1e15) {
			return s, fmt.Errorf("rbd's line %d: %.40s is impossible", line, m[i])
		}
		*to = v
	}
	s.bytesPerSec *= prefixes[m[3]]
	return s, nil
}

var prefixes = map[string]float64{"": 1, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50}

func (p printed) measurements() ([]assay.Measurement, error) {
	if p.all.line == 0 && len(p.halves) == 0 && len(p.rows) == 0 {
		return nil, errNothing()
	}
	labels := p.labels()
	switch p.kind {
	case "read", "write":
		if p.all.line == 0 {
			return p.unfinished(labels)
		}
		p.stopped(labels, p.all.ops, "stopped by a signal")
		found, err := p.of(p.kind, p.all, labels)
		if err == nil {
			found[0].Samples = p.samples()
		}
		return found, err
	case "readwrite":
		var found []assay.Measurement
		p.stopped(labels, p.halves["read"].ops+p.halves["write"].ops, "stopped by a signal")
		for _, op := range []string{"read", "write"} {
			half, ok := p.halves[op]
			if !ok {
				return nil, fmt.Errorf("rbd bench: %w: no total for %s", assay.ErrNoOutput, op)
			}
			if half.ops == 0 {
				continue // a one-sided mix
			}
			some, err := p.of(op, half, labels)
			if err != nil {
				return nil, err
			}
			found = append(found, some...)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("rbd bench: %w: 0 operations", assay.ErrNoOutput)
		}
		return dropSecond(found, "tool.duration"), nil
	case "":
		return nil, assay.WithHint("include rbd's command line with its output", "rbd bench: cannot tell whether it read or wrote")
	}
	return nil, fmt.Errorf("rbd bench: type %.20s moves no data", p.kind)
}

func errNothing() error {
	return fmt.Errorf("rbd bench: %w: no total and no line of its table", assay.ErrNoOutput)
}

// dropSecond keeps only the first measurement of a metric that both halves
// have.
func dropSecond(all []assay.Measurement, metric string) []assay.Measurement {
	var kept []assay.Measurement
	seen := false
	for _, m := range all {
		if m.Metric == metric {
			if seen {
				continue
			}
			seen = true
		}
		kept = append(kept, m)
	}
	return kept
}

// of returns the figures of one direction. Seconds are printed without
// decimals, so the duration is computed as operations over their rate.
func (p printed) of(op string, s sum, labels map[string]string) ([]assay.Measurement, error) {
	if s.ops == 0 || s.perSec == 0 {
		return nil, assay.WithHint("move more data: --io-total 10G", "rbd's line %d: no operations were performed", s.line)
	}
	if s.bytesPerSec == 0 {
		return nil, fmt.Errorf("rbd's line %d: operations without a byte are impossible", s.line)
	}
	stem := "pool." + op + "."
	all := []assay.Measurement{
		measured(stem+"bandwidth", p.bandwidth(s), assay.BytesPerSecond, s.line, labels),
		measured(stem+"iops", s.perSec, assay.PerSecond, s.line, labels),
		measured(stem+"ios", s.ops, assay.One, s.line, labels),
	}
	if size, ok := p.blockSize(); ok {
		all = append(all, measured(stem+"bytes", s.ops*size, assay.Bytes, s.line, labels))
	}
	return append(all, measured("tool.duration", s.ops/s.perSec, assay.Seconds, s.line, labels)), nil
}

// bandwidth returns the printed bandwidth. Since Mimic it has two or three
// digits, while ops/s has six: if the two agree, the value computed from ops/s
// is returned.
func (p printed) bandwidth(s sum) float64 {
	size, ok := p.blockSize()
	if made := s.perSec * size; ok && math.Abs(made-s.bytesPerSec) <= roundedBy*made {
		return made
	}
	return s.bytesPerSec
}

// roundedBy is the error that rounding to two digits can cause: 10 MiB/s is 9.5
// to 10.5.
const roundedBy = .055

func (p printed) blockSize() (float64, bool) {
	v, err := strconv.ParseFloat(p.size, 64)
	return v, err == nil && v > 0 && v < 1e15
}

// unfinished returns the mean up to the last second of the table. rbd does not
// count operations begun in it, and their bytes are not counted here.
func (p printed) unfinished(labels map[string]string) ([]assay.Measurement, error) {
	if len(p.rows) == 0 {
		return nil, errNothing()
	}
	last := p.rows[len(p.rows)-1]
	size, ok := p.blockSize()
	if last.at == 0 || last.ops == 0 || !ok {
		return nil, assay.WithHint("let it run to its end", "rbd's line %d: the output ends too early to use", last.line)
	}
	if !p.timed {
		labels["cut"] = "after " + strconv.FormatFloat(last.at, 'f', -1, 64) + " s"
	}
	p.stopped(labels, last.ops, "the output ends before its summary")
	stem := "pool." + p.kind + "."
	speed := measured(stem+"bandwidth", last.ops*size/last.at, assay.BytesPerSecond, last.line, labels)
	speed.Samples = p.samples()
	return []assay.Measurement{
		speed,
		measured(stem+"iops", last.ops/last.at, assay.PerSecond, last.line, labels),
		measured(stem+"ios", last.ops, assay.One, last.line, labels),
		measured("tool.duration", last.at, assay.Seconds, last.line, labels),
	}, nil
}

// stopped labels a run that did less than requested, with the share it did: rbd
// has no time limit, and prints its totals when a signal ends it.
func (p printed) stopped(labels map[string]string, ops float64, why string) {
	if p.timed {
		return // it did as requested
	}
	told, err := strconv.ParseFloat(p.bytes, 64)
	size, ok := p.blockSize()
	if known := err == nil && ok && told > 0; known {
		done := ops * size / told
		if p.all.line != 0 && (told < size || done >= 1-size/told) {
			return
		}
		labels["done"] = strconv.FormatFloat(done, 'g', 4, 64)
	} else if p.all.line != 0 {
		return
	}
	labels["interrupted"] = why
}

// samples returns the rate of each second: the table's own rates are means over
// five seconds.
func (p printed) samples() []assay.Sample {
	size, ok := p.blockSize()
	if !ok {
		return nil
	}
	var all []assay.Sample
	var before second
	for _, r := range p.rows {
		if r.at > before.at && r.ops >= before.ops {
			all = append(all, assay.Sample{At: r.at, Value: (r.ops - before.ops) * size / (r.at - before.at)})
		}
		before = r
	}
	return all
}

// patterns maps type and order to the name of a pattern.
var patterns = map[string]string{
	"read sequential": "read", "read random": "randread", "write sequential": "write", "write random": "randwrite",
	"readwrite sequential": "rw", "readwrite random": "randrw",
}

func (p printed) labels() map[string]string {
	order := strings.TrimPrefix(p.pattern, "full ")
	labels := map[string]string{"tool": "rbd"}
	for key, v := range map[string]string{
		"op": p.kind, "pattern": patterns[p.kind+" "+order], "bs": p.size, "threads": p.threads, "pool": p.pool, "total": p.total(),
	} {
		if v != "" {
			labels[key] = v
		}
	}
	return labels
}

// total returns how much data was requested, if that ended the run.
func (p printed) total() string {
	if p.timed {
		return ""
	}
	return p.bytes
}

func measured(metric string, v float64, unit assay.Unit, line int, labels map[string]string) assay.Measurement {
	return assay.Measurement{Metric: metric, Value: v, Unit: unit, Labels: maps.Clone(labels), Line: line}
}
