package s3bench

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

const (
	tool        = "s3bench"
	stepMeasure = "measure"
)

type measurer struct{}

var _ assay.Measurer = measurer{}

// New returns the reader for these benchmarks' output.
func New() assay.Measurer { return measurer{} }

// Format describes how their output is recognised.
func (measurer) Format() assay.Format {
	return assay.Format{Tool: tool, Commands: []string{"s3bench", "s3-benchmark", "s3-benchmark.ubuntu"}, Begins: begins, Splits: splits}
}

// stamp is the timestamp before lines of a log.
const stamp = `(?:[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT:? )?`

var openers = lazyregexp.New(`^(?:Test parameters\s*$` +
	`|endpoint\(s\): +\[` +
	`|Results Summary for [A-Z][A-Za-z]+ Operation\(s\)` +
	`|(?:Wasabi|S3) benchmark program v\d` +
	`|` + stamp + `Parameters(?:: | \{ )url=` +
	`|` + stamp + `Loop \d+: (?:PUT|GET|DELETE|LIST[a-zA-Z0-9]*) time[ =]` +
	`|\d{4}/\d\d/\d\d \d\d:\d\d:\d\d FATAL: Unable to create bucket ` +
	`|Download performance with \d+ [KM]B objects` +
	`|\| (?:Threads|      #) \|     Throughput \|  avg   min   p25` +
	`|\| +\d+ \| +\d+\.\d MB/s \|(?: +\d+){8} \|(?: +\d+){8} \|)`)

func begins(line string) bool {
	return slices.ContainsFunc(telling, func(word string) bool { return strings.Contains(line, word) }) && openers.MatchString(line)
}

// telling lists words, one of which every opener contains: most lines of a long
// log are skipped without matching a pattern.
var telling = []string{"Test parameters", "endpoint(s):", "Results Summary", "benchmark program v", "url=", "Loop ", "FATAL: ", "Download performance", "Throughput", "MB/s"}

// splits reports whether a line opens another output: its section was already
// seen, or parameters follow figures.
func splits(sofar []byte, next string) bool {
	next = strings.TrimSpace(next)
	switch {
	case strings.HasPrefix(next, "Results Summary for "), strings.HasPrefix(next, "Download performance with "):
		return bytes.Contains(sofar, []byte(next))
	case next == "Test parameters":
		return bytes.Contains(sofar, []byte("Results Summary for "))
	case strings.Contains(next, " benchmark program v"):
		return bytes.Contains(sofar, []byte("Loop ")) || bytes.Contains(sofar, []byte("Parameters"))
	case strings.Contains(next, "Parameters"):
		return bytes.Contains(sofar, []byte("Loop "))
	}
	if m := loop.FindStringSubmatch(next); m != nil {
		return bytes.Contains(sofar, []byte("Loop "+m[1]+": "+m[2]+" time"))
	}
	return false
}

// Parse reads the summaries. It fails if every request failed, or if there are
// no figures.
func (measurer) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil, fmt.Errorf("s3bench: %w: the transcript has no step %q", assay.ErrNoOutput, stepMeasure)
	}
	var (
		igneous = summaries{asked: optionsOf(step.Argv)}
		wasabi  loops
		dave    tables
		said    string
		n       int
	)
	for raw := range strings.Lines(string(step.Output.Stdout)) {
		n++
		l := line{text: strings.TrimSpace(raw), number: n, ended: strings.HasSuffix(raw, "\n")}
		igneous.read(l)
		wasabi.read(l)
		dave.read(l)
		if _, words, ok := strings.Cut(l.text, " FATAL: "); ok && said == "" && begins(l.text) {
			said = fmt.Sprintf("line %d: %.200s", n, words)
		}
	}
	all := append(igneous.measurements(), append(wasabi.found, dave.found...)...)
	switch {
	case len(all) > 0:
		return all, nil
	case igneous.failed != nil:
		return nil, igneous.failed
	case said != "":
		return nil, fmt.Errorf("s3-benchmark's %s", said)
	}
	return nil, fmt.Errorf("s3bench: %w: no operation has figures", assay.ErrNoOutput)
}
