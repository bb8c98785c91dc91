package s3bench

import (
	"maps"
	"math"
	"net/url"
	"strconv"
	"strings"

	"assay"
	"assay/internal/bytesize"
)

// line is one line of an output. A bare number at the end of a line without a
// newline may be truncated.
type line struct {
	text   string
	number int // from 1
	ended  bool
}

// figure is a value in base units with its line number.
type figure struct {
	value float64
	line  int
}

// number reads digits with at most one point.
func number(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && v <= 1e15
}

// figured reads a number; an impossibly large one yields 0, which counts as no
// figure.
func figured(s string, line int) figure {
	v, ok := number(s)
	if !ok {
		v = 0
	}
	return figure{v, line}
}

var binary = map[string]float64{"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50}

// bytesOf parses a size such as 1M, 4k or 10MB, all binary, and returns it in
// bytes, or "" if it is not a size.
func bytesOf(s string) string {
	v, ok := bytesize.Binary(s)
	if !ok || v < 1 {
		return ""
	}
	return whole(v)
}

func whole(v float64) string { return strconv.FormatFloat(math.Round(v), 'f', 0, 64) }

// endpoint returns the server's host and port, without anything before an @.
func endpoint(s string) string {
	s = strings.Trim(s, `"'<>`)
	if u, err := url.Parse(s); err == nil && u.Host != "" {
		return u.Host
	}
	if len(s) > 200 || strings.HasPrefix(s, "$") {
		return ""
	}
	return s[strings.LastIndexByte(s, '@')+1:]
}

// options are values that a command line of igneous-systems/s3bench gives more
// exactly than its output.
type options struct{ size, concurrency, endpoint string }

func optionsOf(argv []string) options {
	if len(argv) == 1 {
		argv = strings.Fields(argv[0])
	}
	var o options
	for i, word := range argv {
		name, ok := strings.CutPrefix(word, "-")
		name, value, inOne := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		if !ok {
			continue
		}
		if !inOne && i+1 < len(argv) {
			value = argv[i+1]
		}
		switch name {
		case "objectSize":
			o.size = bytesOf(value)
		case "numClients":
			if n, ok := number(value); ok && n >= 1 {
				o.concurrency = whole(n)
			}
		case "endpoint":
			if !strings.Contains(value, ",") {
				o.endpoint = endpoint(value)
			}
		}
	}
	return o
}

// label sets what the command line knows: the size, which is printed rounded,
// and what was not printed.
func (o options) label(labels map[string]string) {
	if o.size != "" {
		labels["object_size"] = o.size
	}
	for name, v := range map[string]string{"concurrency": o.concurrency, "endpoint": o.endpoint} {
		if labels[name] == "" && v != "" {
			labels[name] = v
		}
	}
}

// labelled returns the labels of one operation; unknown ones are left out.
func labelled(program, op, stem string, known map[string]string) map[string]string {
	labels := map[string]string{"tool": tool, "program": program, "loop": "closed", "op": op, "job": stem}
	for k, v := range known {
		if v != "" {
			labels[k] = v
		}
	}
	return labels
}

// collect gathers measurements with the same labels.
type collect struct {
	labels map[string]string
	stem   string
	found  []assay.Measurement
}

// add drops figures that are unknown or were rounded to zero.
func (c *collect) add(metric string, f figure) {
	if f.line > 0 && f.value > 0 && !math.IsInf(f.value, 0) {
		c.always(metric, f)
	}
}

func (c *collect) always(metric string, f figure) {
	known, _ := assay.Describe(metric)
	c.found = append(c.found, assay.Measurement{Metric: metric, Value: f.value, Unit: known.Unit, Labels: maps.Clone(c.labels), Line: f.line})
}
