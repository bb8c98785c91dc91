package fio

import (
	"bytes"

	"assay"
)

// follower reads fio's output while it runs: a document per second, from which
// it computes the operations per second since the last one.
type follower struct {
	tell func(assay.Sample) (enough bool)
	text []byte // since the last whole document
	last counters
	any  bool // last is of this run
}

// endOfDocument ends each of fio's documents and occurs nowhere inside: nested
// values are indented.
var endOfDocument = []byte("\n}\n")

// heed is an assay.Cmd callback: it passes on each sample that a piece
// completes, until that is enough. Anything that is not a document is skipped:
// it is read at the end.
func (f *follower) heed(piece []byte) (enough bool) {
	f.text = append(f.text, piece...)
	for {
		end := bytes.Index(f.text, endOfDocument)
		if end < 0 {
			return false
		}
		end += len(endOfDocument)
		found := takeApart(f.text[:end]).documents
		f.text = append(f.text[:0], f.text[end:]...)
		for _, d := range found {
			if s, ok := f.sample(d); ok && f.tell(s) {
				return true
			}
		}
	}
}

// sample returns the rate between the previous document and this one; ok is
// false if it cannot be computed.
func (f *follower) sample(d document) (s assay.Sample, ok bool) {
	var now counters
	for i := range d.jobs {
		for _, dir := range directionNames {
			if c, known := countersOf(d, d, i, dir); known {
				now.ios += c.ios
				now.seconds = max(now.seconds, c.seconds)
			}
		}
	}
	before, known := f.last, f.any
	f.last, f.any = now, true
	if !known || now.seconds <= before.seconds || now.ios < before.ios {
		return s, false
	}
	return assay.Sample{At: now.seconds, Value: (now.ios - before.ios) / (now.seconds - before.seconds)}, true
}
