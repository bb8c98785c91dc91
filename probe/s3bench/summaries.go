package s3bench

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// stems are the operations of igneous-systems/s3bench and its forks.
var stems = map[string]string{"Write": "put", "Read": "get", "HeadObj": "head", "Delete": "delete"}

// summaries reads the output of igneous-systems/s3bench.
type summaries struct {
	asked   options
	labels  map[string]string // of the last parameters
	samples float64
	all     []summary
	failed  error
}

// summary is the report on one operation.
type summary struct {
	op       string
	line     int
	labels   map[string]string
	samples  float64
	names    []string          // of the figures, in order
	figures  map[string]figure // by suffix of the metric's name
	errors   figure
	duration figure
}

var (
	resultsOf = lazyregexp.New(`^Results Summary for ([A-Z][A-Za-z]+) Operation\(s\)`)
	parameter = lazyregexp.New(`^(endpoint\(s\)|objectSize|numClients|numSamples): +(\S.*)$`)
	total     = lazyregexp.New(`^(Total Throughput|Ops/sec|Total Duration): +(\d+(?:\.\d+)?) (?:MB/s|ops/s|s)$`)
	errorsOf  = lazyregexp.New(`^Number of Errors: +(\d+)$`)
	elapsed   = lazyregexp.New(`^[A-Z][A-Za-z]+ times (Max|Min|Avg|\d+(?:\.\d+)?th %ile): +(\d+\.\d+) s$`)
)

func (s *summaries) read(now line) {
	text := now.text
	if m := resultsOf.FindStringSubmatch(text); m != nil {
		s.all = append(s.all, summary{op: m[1], line: now.number, labels: s.labels, samples: s.samples, figures: map[string]figure{}})
		return
	}
	if text == "Test parameters" {
		s.labels, s.samples = nil, 0
		return
	}
	if m := parameter.FindStringSubmatch(text); m != nil && now.ended {
		s.describe(m[1], m[2])
		return
	}
	if len(s.all) > 0 {
		s.all[len(s.all)-1].read(now)
	}
}

// describe keeps a parameter. A size of 0.0010 MB is rounded too much to be
// used.
func (s *summaries) describe(name, value string) {
	labels := map[string]string{}
	for k, v := range s.labels {
		labels[k] = v
	}
	s.labels = labels
	switch name {
	case "endpoint(s)":
		hosts := strings.Fields(strings.Trim(value, "[]"))
		if len(hosts) == 1 {
			labels["endpoint"] = endpoint(hosts[0])
		} else if len(hosts) > 1 {
			labels["hosts"] = strconv.Itoa(len(hosts))
		}
	case "objectSize":
		labels["object_size"] = ""
		if mb, ok := number(strings.TrimSuffix(value, " MB")); ok && mb >= leastSize {
			labels["object_size"] = whole(mb * (1 << 20))
		}
	case "numClients":
		if n, ok := number(value); ok && n >= 1 {
			labels["concurrency"] = whole(n)
		}
	case "numSamples":
		s.samples, _ = number(value)
	}
}

// leastSize is in MB. Sizes are printed with four decimals: from here on they
// are within 1 % of the true size.
const leastSize = .005

func (s *summary) read(now line) {
	text, line := now.text, now.number
	if m := total.FindStringSubmatch(text); m != nil {
		f := figured(m[2], line)
		switch m[1] {
		case "Total Throughput":
			f.value *= 1 << 20
			s.keep("throughput", f)
		case "Ops/sec":
			s.keep("ops", f)
		case "Total Duration":
			s.duration = f
		}
		return
	}
	if m := errorsOf.FindStringSubmatch(text); m != nil && now.ended {
		s.errors = figured(m[1], line)
	}
	if m := elapsed.FindStringSubmatch(text); m != nil {
		f := figured(m[2], line)
		switch m[1] {
		case "Max":
			s.keep("latency.max", f)
		case "Min":
			s.keep("latency.min", f)
		case "Avg":
			s.keep("latency.mean", f)
		default:
			if p, ok := number(strings.TrimSuffix(m[1], "th %ile")); ok && p <= 100 {
				s.keep(assay.PercentileMetric("", p), f)
			}
		}
	}
}

// keep keeps the first figure of each name, unless it was rounded to zero.
func (s *summary) keep(name string, f figure) {
	if _, again := s.figures[name]; !again && f.value > 0 {
		s.figures[name], s.names = f, append(s.names, name)
	}
}

func (s *summaries) measurements() []assay.Measurement {
	var all []assay.Measurement
	for _, one := range s.all {
		found, err := one.measurements(s.asked)
		if err != nil && s.failed == nil {
			s.failed = err
		}
		all = append(all, found...)
	}
	return all
}

func (s summary) measurements(asked options) ([]assay.Measurement, error) {
	stem := stems[s.op]
	if stem == "" {
		return nil, fmt.Errorf("s3bench's line %d: unexpected %s operations", s.line, s.op)
	}
	done := s.samples - s.errors.value
	if s.samples > 0 && s.errors.line > 0 && done <= 0 {
		return nil, fmt.Errorf("s3bench's line %d: %s: all %g requests failed", s.errors.line, s.op, s.samples)
	}
	labels := labelled("igneous-systems/s3bench", s.op, stem, s.labels)
	asked.label(labels)
	// It does not print ops/s: that is its requests over its time.
	if _, printed := s.figures["ops"]; !printed && s.duration.value > 0 && s.errors.line > 0 && s.samples > 0 {
		s.keep("ops", figure{done / s.duration.value, s.duration.line})
	}
	out := collect{labels: labels, stem: "object." + stem + "."}
	for _, name := range s.names {
		out.add(out.stem+name, s.figures[name])
	}
	if len(out.found) == 0 {
		return nil, fmt.Errorf("s3bench's line %d: %s: %w: no figures; the output is truncated or no operations were performed", s.line, s.op, assay.ErrNoOutput)
	}
	if s.errors.line > 0 {
		if s.samples > 0 {
			out.add(out.stem+"requests", figure{done, s.errors.line})
		}
		out.always(out.stem+"errors", s.errors)
	}
	out.add("tool.duration", s.duration)
	return out.found, nil
}
