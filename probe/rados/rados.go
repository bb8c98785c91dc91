package rados

import (
	"bytes"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// reader is stateless: everything it knows of a trial is in the trial.
type reader struct{}

// Tool runs rados bench, and reads what others ran.
type Tool interface {
	assay.Probe
	assay.RepeatPreparer
	assay.Noter
	assay.Measurer
}

// New returns the probe, which is also a reader.
func New() Tool { return reader{} }

// Format returns how rados bench output is recognised.
func (reader) Format() assay.Format {
	return assay.Format{
		Tool:     "rados",
		Commands: []string{"rados"},
		Begins:   begins,
		Splits:   splits,
		Accepts:  accepts,
	}
}

var (
	maintaining = lazyregexp.New(`^Maintaining (\d+) concurrent writes of (\d+) bytes(?: to objects of size (\d+))? for (?:up to |at least )?(\d+)?`)
	tableHead   = lazyregexp.New(`^sec\s+Cur ops\s+started\s+finished\s+avg MB/s\s+cur MB/s\s`)
	failure     = lazyregexp.New(`^(?:error during benchmark: |Must write data before )`)
)

// opening are the words of the summary that no other tool prints. "Max IOPS" and
// the like are not among them.
var opening = []word{totalTime, opsMade, bandwidth, bandwidthStddev, bandwidthMax, bandwidthMin}

// begins is false for "hints = 1", which also precedes JSON.
func begins(line string) bool {
	line = bare(line)
	if maintaining.MatchString(line) || tableHead.MatchString(line) || failure.MatchString(line) {
		return true
	}
	if titles(line) != nil {
		return true
	}
	s, ok := summaryOf(line)
	return ok && slices.Contains(opening, s.word) && len(s.values) > 0
}

// splits reports whether a line belongs to another run: the table's head is repeated
// every 20 seconds, after a line of latencies, and the summary comes once.
func splits(sofar []byte, next string) bool {
	next = bare(next)
	if strings.HasPrefix(next, "{") || bytes.HasPrefix(bytes.TrimSpace(sofar), []byte("{")) {
		return true
	}
	if tableHead.MatchString(next) && bytes.Contains(lastLine(sofar), []byte("min lat: ")) {
		return false
	}
	if bytes.Contains(sofar, []byte("Total time run")) {
		s, ok := summaryOf(next)
		return !ok || s.word == totalTime || has(sofar, s.text)
	}
	switch {
	case failure.MatchString(next):
		return false
	case bytes.Contains(sofar, []byte("error during benchmark: ")) || bytes.HasPrefix(sofar, []byte("Must write data before ")):
		return true
	case maintaining.MatchString(next):
		return bytes.Contains(sofar, []byte("Maintaining ")) || bytes.Contains(sofar, []byte("Cur ops"))
	case tableHead.MatchString(next):
		return bytes.Contains(sofar, []byte("Cur ops"))
	}
	s, ok := summaryOf(next)
	return ok && has(sofar, s.text)
}

func has(sofar []byte, text string) bool { return bytes.Contains(sofar, []byte(text)) }

func lastLine(text []byte) []byte {
	text = bytes.TrimRight(text, " \t\r\n")
	return text[bytes.LastIndexByte(text, '\n')+1:]
}

func accepts(keys []string) bool {
	has := func(key string) bool { return slices.Contains(keys, key) }
	return has("total_time_run") && (has("total_writes_made") || has("total_reads_made")) ||
		has("concurrent_ios") && has("op_size")
}

// timestamp matches what --show-time prints before a line.
var timestamp = lazyregexp.New(`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(?:[+-]\d{4}|Z)?\s+`)

// bare returns a line without what surrounds it: blanks, the time, the bars of
// a Markdown table.
func bare(line string) string {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "|") {
		line = strings.TrimSpace(strings.ReplaceAll(line, "|", " "))
	}
	if line != "" && line[0] >= '0' && line[0] <= '9' {
		line = strings.TrimSpace(line[len(timestamp.FindString(line)):])
	}
	return line
}
