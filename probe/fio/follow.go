package fio

import (
	"bytes"

	"assay"
)

// follower reads what fio prints while it runs: a document a second, of which it
// makes the operations a second since the one before.
type follower struct {
	tell func(assay.Sample) (enough bool)
	text []byte // since the last whole document
	last counters
	any  bool // last is of this run
}

// endOfDocument ends each of fio's documents, and nothing within one: what is
// nested is indented.
var endOfDocument = []byte("\n}\n")

// heed is an assay.Cmd's: it tells of each sample that a piece completes, until
// that is enough. What is no document is passed over: it is read in the end.
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

// sample is what happened between the document before and this one; ok is false
// where nothing can be said of it.
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
