package warp

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

const (
	tool        = "warp"
	stepMeasure = "measure"
)

type measurer struct{}

var _ assay.Measurer = measurer{}

// New returns the reader for warp's output.
func New() assay.Measurer { return measurer{} }

// Format describes how warp's output is recognised.
func (measurer) Format() assay.Format {
	return assay.Format{Tool: tool, Commands: []string{"warp"}, Begins: begins, Splits: splits, Accepts: accepts}
}

// kinds are the request types that warp knows. Each has one heading per output.
const kinds = `(?:GET|PUT|POST|DELETE|STAT|LIST|APPEND|MULTIPART|PUTPART|RETENTION|S3SELECT|SELECT|SNOWBALL|FANOUT|UPLOAD|COPY)`

// openers are lines that only warp prints: the heading of a kind of request,
// what replaces it, and lines left of a report whose head is missing.
var openers = lazyregexp.New(`^(Mixed operations\.\s*$` +
	`|Operation: ` + kinds + `(\. |, \d+%| - total: | \(\d+\)\.|\s*$)` +
	`|Report: (?:` + kinds + `|Total)(\. Concurrency: | \(\d+ reqs\)\. )` +
	`|Skipping ` + kinds + ` too few samples\.` +
	`|warp: <ERROR> ` +
	`| \* (Reqs|TTFB): Avg: \d` +
	`|Throughput, split into \d+ x )`)

func begins(line string) bool { return openers.MatchString(line) }

// splits reports whether a heading opens another output: its kind of request was
// already reported, or the total over all was.
func splits(sofar []byte, next string) bool {
	if strings.HasPrefix(next, "Mixed operations.") {
		return heads(sofar, func(string) bool { return true })
	}
	op := operation(next)
	if op == "" {
		return false
	}
	return heads(sofar, func(before string) bool { return before == op || before == "Total" })
}

// heads reports whether the text has a heading of a wanted operation.
func heads(text []byte, wanted func(op string) bool) bool {
	for line := range bytes.Lines(text) {
		if op := operation(string(line)); op != "" && wanted(op) {
			return true
		}
	}
	return false
}

// heading matches a heading and captures its operation.
var heading = lazyregexp.New(`^(?:Operation|Report): ([A-Z0-9]+|Total)\b`)

func operation(line string) string {
	if !strings.HasPrefix(line, "Operation: ") && !strings.HasPrefix(line, "Report: ") || !begins(line) {
		return ""
	}
	m := heading.FindStringSubmatch(strings.TrimRight(line, " \t\r\n"))
	if m == nil {
		return ""
	}
	return m[1]
}

// accepts recognises the two documents of warp analyze --json: those of 0.x and
// of 1.x.
func accepts(keys []string) bool {
	has := func(all ...string) bool {
		for _, k := range all {
			if !slices.Contains(keys, k) {
				return false
			}
		}
		return true
	}
	return has("v", "total", "by_op_type") || has("type", "mixed", "operations")
}

// Parse reads the summary of a benchmark. It fails if the benchmark did, or if
// no kind of request has figures.
func (measurer) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil, fmt.Errorf("warp: %w: the transcript has no step %q", assay.ErrNoOutput, stepMeasure)
	}
	text := step.Output.Stdout
	var (
		found []report
		why   error
	)
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		found, why = fromJSON(text)
	} else {
		found, why = fromText(string(text))
	}
	if why != nil {
		return nil, why
	}
	asked := optionsOf(step.Argv)
	var all []assay.Measurement
	var rejected error
	for _, r := range found {
		ms, err := r.measurements(asked)
		if err != nil && rejected == nil {
			rejected = err
		}
		all = append(all, ms...)
	}
	if len(all) == 0 {
		if rejected == nil {
			rejected = fmt.Errorf("warp: %w: no request type is reported", assay.ErrNoOutput)
		}
		return nil, rejected
	}
	return all, nil
}

var errTooFew = errors.New("too few samples")
