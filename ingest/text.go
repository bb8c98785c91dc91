package ingest

import (
	"bytes"
	"unicode/utf8"
)

// Text is the kept part of an input's text, line by line.
type Text struct {
	File  string
	Lines []string
	// More is how many further lines were not kept.
	More int

	size int
}

// Bounds on the text kept for people to read.
const (
	mostKept     = 16 << 20 // B of one input
	mostKeptLine = 600      // B of one line
)

func (t *Text) add(raw []byte) {
	if t.size > mostKept {
		t.More++
		return
	}
	line := lastWritten(withoutEscapes(raw))
	if len(line) > mostKeptLine {
		cut := mostKeptLine
		for cut > 0 && !utf8.RuneStart(line[cut]) {
			cut--
		}
		line = append(bytes.Clone(line[:cut]), "…"...)
	}
	t.size += len(line) + 16
	t.Lines = append(t.Lines, string(line))
}
