package ingest

import (
	"bytes"
	"slices"
	"strings"
)

// Limits for one JSON document.
const (
	// mostDocument is the maximum number of bytes kept. Parsing takes up to three
	// times a document's size.
	mostDocument = 256 << 20
	// deepest is the maximum nesting depth: tools nest 10 deep. Anything deeper is no
	// output, and would need a stack of its own to parse.
	deepest = 200
)

// document follows a JSON document line by line until its braces close. If it is larger
// than most, no text is kept.
type document struct {
	most     int // B kept at most
	text     []byte
	size     int // B; text holds all of it or nothing
	lines    int // ended so far
	depth    int
	inString bool
	escaped  bool
	keys     []string // of the first object, as far as read
	object   int      // depth of that object's fields; 0: none yet
	word     []byte   // the current string, if it may be a key
	last     string   // the last string read at depth object
}

// opensDocument reports whether a line can be the first of a JSON document, rather
// than a log's bracket or a program's block.
func opensDocument(line string) bool {
	line = strings.TrimSpace(line)
	if line == "" || line[0] != '{' && line[0] != '[' {
		return false
	}
	rest := strings.TrimLeft(line[1:], " \t")
	if rest == "" {
		return true
	}
	if line[0] == '{' {
		return rest[0] == '"' || rest[0] == '}'
	}
	if rest[0] == '[' || rest[0] == '{' {
		rest = strings.TrimLeft(rest, "[{ \t")
		return rest == "" || rest[0] == '"' || rest[0] == ']' || rest[0] == '}'
	}
	return false
}

// canGoOn reports whether a line can occur inside a JSON document.
func canGoOn(line []byte) bool {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	if i == len(line) {
		return true
	}
	switch line[i] {
	case '"', '{', '}', '[', ']', ',', ':', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return true
	}
	for _, word := range words {
		if rest, ok := bytes.CutPrefix(line[i:], word); ok {
			return len(rest) == 0 || bytes.IndexByte([]byte(" ,]}\t"), rest[0]) >= 0
		}
	}
	return false
}

// words are JSON's literals, and what tools write in their place.
var words = [][]byte{[]byte("true"), []byte("false"), []byte("null"), []byte("nan"), []byte("inf"), []byte("NaN"), []byte("Infinity")}

// whole reports whether the whole text is kept.
func (d *document) whole() bool { return d.size <= d.most }

// add takes a line, or a piece of one if more is to come. done reports that the
// document ends in it; rest is what follows its end. Anything nested deeper than
// deepest is not a document.
func (d *document) add(line []byte, more bool) (rest []byte, done bool) {
	for i := 0; i < len(line); i++ {
		c := line[i]
		if d.inString {
			if end := plainString(line[i:]); d.depth != d.object && end > 0 && !d.escaped {
				i += end - 1
				continue
			}
			switch {
			case d.escaped:
				d.escaped = false
			case c == '\\':
				d.escaped = true
			case c == '"':
				d.inString = false
				d.last = string(d.word)
			}
			if d.inString && d.depth == d.object && len(d.word) < 100 {
				d.word = append(d.word, c)
			}
			continue
		}
		switch c {
		case '"':
			d.inString, d.word = true, d.word[:0]
		case ':':
			if d.depth == d.object && d.object > 0 && len(d.keys) < 200 {
				d.keys = append(d.keys, d.last)
			}
		case '{', '[':
			if d.depth++; d.depth > deepest {
				return nil, false
			}
			if c == '{' && d.object == 0 {
				d.object = d.depth
			}
		case '}', ']':
			if d.depth--; d.depth <= 0 {
				d.keep(line[:i+1], false)
				return line[i+1:], true
			}
			if d.depth < d.object {
				d.object = -1 // keys of one object are enough
			}
		}
	}
	d.keep(line, more)
	return nil, false
}

// keep adds a line to the text, or a piece of one if more is to come. Capacity is
// doubled: documents have many lines.
func (d *document) keep(line []byte, more bool) {
	d.size += len(line)
	if !more {
		d.size++
		d.lines++
	}
	if !d.whole() {
		d.text = nil
		return
	}
	if d.size > cap(d.text) {
		d.text = slices.Grow(d.text, min(max(d.size, 2*cap(d.text)), d.most)-len(d.text))
	}
	if d.text = append(d.text, line...); !more {
		d.text = append(d.text, '\n')
	}
}

// plainString returns the number of bytes at the start of b that are neither a
// quote nor a backslash.
func plainString(b []byte) int {
	for i, c := range b {
		if c == '"' || c == '\\' {
			return i
		}
	}
	return len(b)
}
