package fio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// output is fio's output, split into documents and the lines outside them.
type output struct {
	documents []document
	lines     []line // trimmed, none empty
	// broken is why a document could not be parsed, and brokenLine where it
	// begins; for the last one if there are several.
	broken     error
	brokenLine int
	unread     int // documents skipped
}

// line is one line of output, trimmed.
type line struct {
	text   string
	number int // from 1
}

// mostPasses bounds the work on output that is not fio's: the bytes that are
// read in vain, as a multiple of its length.
const mostPasses = 8

// usualLines is the capacity for the lines of a report of two jobs.
const usualLines = 128

var opensDocument = lazyregexp.New(`^\{\s*"fio version"`)

// takeApart finds the JSON documents in fio's output. There is one per status
// interval and one at the end; before, between and after them may be notes,
// warnings and the human-readable report. They may also be in a list.
func takeApart(out []byte) output {
	var o output
	number, listed, patience := 1, false, mostPasses*len(out)
	for len(out) > 0 {
		if opening := opening(out); out[opening] == '{' && patience > 0 {
			listed = listed || bytes.IndexByte(out[:opening], '[') >= 0
			s := scanner{text: out[opening:], line: number}
			doc := s.document()
			if s.err == nil {
				if doc.isFio() {
					doc.listed = listed
					o.documents = append(o.documents, doc)
					o.broken = nil
				}
				number = s.line
				out = out[opening+s.at:]
				continue
			}
			patience -= s.reached
			if opensDocument.Match(out[opening:]) {
				o.broken, o.brokenLine = s.err, number
				o.unread++
			}
		}
		raw, rest, _ := bytes.Cut(out, []byte("\n"))
		raw = bytes.TrimSpace(raw)
		if len(raw) == 1 && (raw[0] == '[' || raw[0] == ']') {
			listed = raw[0] == '['
		}
		if o.lines == nil {
			o.lines = make([]line, 0, usualLines)
		}
		if len(raw) > 0 && o.broken == nil {
			o.lines = append(o.lines, line{string(raw), number})
		}
		out = rest
		number++
	}
	return o
}

// opening returns the length of what may precede a document on its line: blanks
// and the punctuation of a list. It excludes the last byte of b.
func opening(b []byte) int {
	i := 0
	for i < len(b)-1 && (b[i] == ' ' || b[i] == '\t' || b[i] == ',' || b[i] == '[') {
		i++
	}
	return i
}

// runs groups documents by run: those in a list may be of several. The last one
// of each has its figures.
func (o output) runs() [][]document {
	var all [][]document
	for i, d := range o.documents {
		if i == 0 || d.listed && !sameRun(o.documents[i-1], d) {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], d)
	}
	return all
}

// sameRun reports whether b can be a later document of a's run: it has the same
// jobs, began at the same time, and has come at least as far.
func sameRun(a, b document) bool {
	if a.version != b.version || len(a.jobs) != len(b.jobs) || len(a.jobs) == 0 {
		return false
	}
	for i := range a.jobs {
		if a.jobs[i].name != b.jobs[i].name || a.jobs[i].host != b.jobs[i].host {
			return false
		}
	}
	x, y := a.jobs[0], b.jobs[0]
	if a.stamp.set && b.stamp.set && x.elapsed.set && y.elapsed.set {
		// Both count whole seconds.
		began := (b.stamp.v - y.elapsed.v) - (a.stamp.v - x.elapsed.v)
		if began > 2 || began < -2 {
			return false
		}
	}
	return x.longest() <= y.longest() || y.options["ramp_time"] != "" || b.global["ramp_time"] != ""
}

// longest returns the runtime of the longest direction, in ms.
func (j *job) longest() float64 {
	longest := 0.0
	for _, d := range []*direction{j.read, j.write, j.trim, j.mixed} {
		if d != nil {
			longest = max(longest, d.runtime.v)
		}
	}
	return longest
}

// lastDocument parses a step's output and returns the document with its
// figures. A failed fio is an error, in fio's own words.
func lastDocument(step *assay.Step) (document, error) {
	o, err := figuresOf(step)
	if err != nil {
		return document{}, err
	}
	return o.documents[len(o.documents)-1], nil
}

// figuresOf splits a step's output and checks that its last document can be
// trusted: it is complete, and neither fio nor any of its jobs failed. If there
// is no JSON, the human-readable report is the document. If the error is nil,
// there is at least one.
func figuresOf(step *assay.Step) (output, error) {
	o := takeApart(step.Output.Stdout)
	if step.Output.Exit != 0 && !askedToEnd(step.Output) {
		return o, failure(o, step, fmt.Sprintf("exit %d", step.Output.Exit))
	}
	if o.broken != nil {
		what := "cannot be read: " + o.broken.Error()
		if errors.Is(o.broken, io.ErrUnexpectedEOF) {
			what = "is truncated"
		}
		return o, assay.WithHint("keep fio's whole output",
			"fio's document starting at line %d %s: %w", o.brokenLine, what, assay.ErrNoOutput)
	}
	if len(o.documents) == 0 {
		d, ok := readReport(o.lines, readCommand(step.Argv))
		if !ok {
			return o, nothingIn(o, step)
		}
		o.documents = []document{d}
	}
	if last := &o.documents[len(o.documents)-1]; !last.text {
		last.readStop(o.lines)
		for said := range strings.Lines(string(step.Output.Stderr)) {
			last.readStop([]line{{text: strings.TrimSpace(said)}})
		}
	}
	for _, run := range o.runs() {
		for _, j := range run[len(run)-1].jobs {
			if j.failed.v == 0 {
				continue
			}
			otherwise := fmt.Sprintf("job %s: error %g", j.name, j.failed.v)
			if j.why != "" {
				otherwise += ": " + j.why
			}
			return o, failure(o, step, otherwise)
		}
	}
	return o, nil
}

// askedToEnd reports whether fio ended early and reported, as it was asked to.
func askedToEnd(o assay.Output) bool {
	const onSignal = 128 // fio's exit status on any signal
	return o.Asked && o.Exit == onSignal
}

// nothingIn returns the error for output without figures.
func nothingIn(o output, step *assay.Step) error {
	for _, l := range o.lines {
		switch {
		case isTerse(l.text):
			return assay.WithHint("keep the whole line, or run fio with --output-format=json",
				"line %d: fio's terse output (--minimal) is truncated, or of a version other than 3 to 5: %w", l.number, assay.ErrNoOutput)
		case strings.HasPrefix(l.text, `"fio version"`):
			return assay.WithHint("keep fio's whole output",
				"line %d: the beginning or end of fio's JSON document is missing: %w", l.number, assay.ErrNoOutput)
		}
	}
	for _, l := range o.lines {
		if strings.HasPrefix(l.text, "fio: ") && complains(l.text) {
			return failure(o, step, "no figures")
		}
	}
	for _, l := range o.lines {
		if begins(l.text) {
			return assay.WithHint("keep fio's whole output",
				"line %d: fio's output ends before its results: %w", l.number, assay.ErrNoOutput)
		}
	}
	return assay.WithHint("run fio with --output-format=json or json+",
		"fio's output contains no JSON document: %w", assay.ErrNoOutput)
}

// failure returns the error of a failed fio, in its own words if it has any.
func failure(o output, step *assay.Step, otherwise string) error {
	said := complaint(o, step)
	var words strings.Builder
	words.Write(step.Output.Stderr)
	for _, l := range o.lines {
		words.WriteByte('\n')
		words.WriteString(l.text)
	}
	all := words.String()
	what := "fio failed: " + otherwise
	if said != "" {
		what = "fio failed (" + otherwise + "): " + said
	}
	for _, known := range complaints {
		if !known.words.MatchString(all) {
			continue
		}
		if known.err != nil {
			return assay.WithHint(known.hint, "%s: %w", what, known.err)
		}
		return assay.WithHint(known.hint, "%s", what)
	}
	return errors.New(what)
}

// complaints are failures with a known hint.
var complaints = []struct {
	words *lazyregexp.Regexp
	err   error
	hint  string
}{
	{lazyregexp.New(`No space left on device`), assay.ErrNoSpace, "free space there, or use a smaller size"},
	// open(2) gives EINVAL for O_DIRECT; not every fio explains it.
	{lazyregexp.New(`does not support (direct=1|O_DIRECT)|err=22/.*func=open\(`), errDirect,
		`set direct: "0" (this then includes the page cache)`},
	{lazyregexp.New(`Read-only file system`), assay.ErrReadOnly, "use a writable directory"},
	{lazyregexp.New(`file creation disallowed`), assay.ErrNotFound, "the scratch file is missing or too short: prepare it again"},
	{lazyregexp.New(`not loadable`), nil, "this fio was built without that engine: choose another one"},
	{lazyregexp.New(`Permission denied`), assay.ErrReadOnly, "run as a user who can write there"},
}

// complains reports whether a line is a complaint, not a remark about a process
// or in passing.
func complains(line string) bool {
	low := strings.ToLower(line)
	return !strings.HasPrefix(low, "fio: pid=") && !strings.Contains(low, "process shared mutexes") &&
		!strings.Contains(low, "terminating on signal")
}

// complaint returns the line in which fio says what went wrong, or "".
func complaint(o output, step *assay.Step) string {
	lines := strings.Split(string(step.Output.Stderr), "\n")
	reported := false
	for _, l := range o.lines {
		lines = append(lines, l.text)
		reported = reported || begins(l.text)
	}
	var others string
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "fio:") && complains(line) {
			return line
		}
		if others == "" && !strings.HasPrefix(line, "note:") && !strings.HasPrefix(line, "fio:") {
			others = line
		}
	}
	if reported {
		return "" // the other lines are fio's report
	}
	return others
}
