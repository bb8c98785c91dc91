package fio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"assay"
)

// output is what fio printed, taken apart: documents, and the lines that are
// in none of them.
type output struct {
	documents []document
	lines     []string // trimmed, none empty
	// broken is why a document could not be read, and brokenLine where it
	// begins; the last one where there are several.
	broken     error
	brokenLine int
	unread     int // documents that were passed over
}

// mostAttempts bounds the work on an output that is no fio output at all.
const mostAttempts = 256

var (
	opensDocument = regexp.MustCompile(`^\{\s*"fio version"`)
	notANumber    = regexp.MustCompile(`(:[ \t]*)(-?(?:nan|inf))\b`)
)

// takeApart finds the JSON documents in fio's output. There is one for every
// status interval and one at the end; before, between and after them may be
// notes, warnings and the human-readable report.
func takeApart(out []byte) output {
	var o output
	line, failed := 1, 0
	for len(out) > 0 {
		if opening := leadingSpace(out); out[opening] == '{' && failed < mostAttempts {
			doc, n, err := readDocument(out[opening:])
			if err == nil {
				if doc.isFio() {
					doc.line = line
					o.documents = append(o.documents, doc)
					o.broken = nil
				}
				line += bytes.Count(out[:opening+n], []byte("\n"))
				out = out[opening+n:]
				continue
			}
			failed++
			if opensDocument.Match(out[opening:]) {
				o.broken, o.brokenLine = err, line
				o.unread++
			}
		}
		text, rest, _ := bytes.Cut(out, []byte("\n"))
		if text := strings.TrimSpace(string(text)); text != "" && o.broken == nil {
			o.lines = append(o.lines, text)
		}
		out = rest
		line++
	}
	return o
}

// leadingSpace is the length of the blanks at the beginning of a line, short of
// its last byte.
func leadingSpace(b []byte) int {
	i := 0
	for i < len(b)-1 && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}

// readDocument reads one JSON value and says how long it is. Some versions
// print nan and inf for figures without samples: those are read as absent.
func readDocument(b []byte) (document, int, error) {
	raw, n, err := readRaw(b)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && opensDocument.Match(b) {
		raw, n, err = readRaw(notANumber.ReplaceAllFunc(untilNext(b), blankOut))
	}
	if err != nil {
		return document{}, 0, err
	}
	var doc document
	if err := json.Unmarshal(raw, &doc); err != nil {
		return document{}, 0, err
	}
	doc.raw = raw
	return doc, n, nil
}

// untilNext gives what may belong to the document that b begins with: all up to
// the next line that begins like one. Without it, every document of a long
// output would cost a pass over all that follow.
func untilNext(b []byte) []byte {
	if i := bytes.Index(b, []byte("\n{")); i >= 0 {
		return b[:i+1]
	}
	return b
}

func readRaw(b []byte) (json.RawMessage, int, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	var raw json.RawMessage
	err := dec.Decode(&raw)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return raw, int(dec.InputOffset()), err
}

// blankOut replaces ": nan" by an empty string of the same length.
func blankOut(match []byte) []byte {
	colon := bytes.IndexAny(match, "-ni")
	return append(bytes.Clone(match[:colon]), `""  `[:len(match)-colon]...)
}

// lastDocument reads the output of a step, and gives the document that holds
// its figures. A fio that failed is an error, with fio's own words.
func lastDocument(step *assay.Step) (document, error) {
	o, err := figuresOf(step)
	if err != nil {
		return document{}, err
	}
	return o.documents[len(o.documents)-1], nil
}

// figuresOf takes a step's output apart and checks that its last document can
// be believed: it is whole, and neither fio nor any of its jobs failed. There
// is at least one document where the error is nil.
func figuresOf(step *assay.Step) (output, error) {
	o := takeApart(step.Output.Stdout)
	if step.Output.Exit != 0 {
		return o, failure(o, step, fmt.Sprintf("exit %d", step.Output.Exit))
	}
	if o.broken != nil {
		what := "cannot be read: " + o.broken.Error()
		if errors.Is(o.broken, io.ErrUnexpectedEOF) {
			what = "is cut off before its end"
		}
		return o, assay.WithHint("keep all of fio's output",
			"fio's document that begins at line %d %s: %w", o.brokenLine, what, assay.ErrNoOutput)
	}
	if len(o.documents) == 0 {
		return o, assay.WithHint("run fio with --output-format=json or json+",
			"there is no JSON document of fio in its output: %w", assay.ErrNoOutput)
	}
	for _, j := range o.documents[len(o.documents)-1].jobs() {
		if j.Error.v != 0 {
			return o, failure(o, step, fmt.Sprintf("job %s: error %g", j.Name, j.Error.v))
		}
	}
	return o, nil
}

// failure is the error of a fio that failed, in its own words where it has any.
func failure(o output, step *assay.Step, otherwise string) error {
	said := complaint(o, step)
	if said == "" {
		return fmt.Errorf("fio failed: %s", otherwise)
	}
	all := strings.Join(append(strings.Split(string(step.Output.Stderr), "\n"), o.lines...), "\n")
	for _, known := range complaints {
		if known.words.MatchString(all) {
			if known.err != nil {
				return assay.WithHint(known.hint, "fio failed (%s): %s: %w", otherwise, said, known.err)
			}
			return assay.WithHint(known.hint, "fio failed (%s): %s", otherwise, said)
		}
	}
	return fmt.Errorf("fio failed (%s): %s", otherwise, said)
}

// complaints are failures that there is something to say about.
var complaints = []struct {
	words *regexp.Regexp
	err   error
	hint  string
}{
	{regexp.MustCompile(`No space left on device`), assay.ErrNoSpace, "free space there, or ask for a smaller size"},
	// open(2) gives EINVAL for O_DIRECT; not every fio explains it.
	{regexp.MustCompile(`does not support (direct=1|O_DIRECT)|err=22/.*func=open\(`), errDirect,
		`set direct: "0" (the page cache is then measured too)`},
	{regexp.MustCompile(`Read-only file system`), assay.ErrReadOnly, "name a directory that can be written"},
	{regexp.MustCompile(`file creation disallowed`), assay.ErrNotFound, "the scratch file is gone or too short: prepare it again"},
	{regexp.MustCompile(`not loadable`), nil, "this fio was built without that engine: name another one"},
	{regexp.MustCompile(`Permission denied`), assay.ErrReadOnly, "run as a user who may write there"},
}

// complaint is the line with which fio says what went wrong, or "".
func complaint(o output, step *assay.Step) string {
	var others string
	for _, line := range append(strings.Split(string(step.Output.Stderr), "\n"), o.lines...) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "fio:") && !strings.HasPrefix(line, "fio: pid=") {
			return line
		}
		if others == "" && !strings.HasPrefix(line, "note:") {
			others = line
		}
	}
	return others
}
