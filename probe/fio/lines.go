package fio

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// lineIndex gives the line on which each value of a JSON document stands, by its
// path (jobs/0/read/iops). first is the line on which the document begins. A
// document that cannot be read to its end gives what was found until then.
func lineIndex(raw []byte, first int) map[string]int {
	x := indexer{dec: json.NewDecoder(bytes.NewReader(raw)), raw: raw, line: first, lines: map[string]int{}}
	x.value("")
	return x.lines
}

type indexer struct {
	dec   *json.Decoder
	raw   []byte
	at    int // offset up to which lines are counted
	line  int
	lines map[string]int
}

// value reads one value and what is in it; false at the end or at an error.
func (x *indexer) value(path string) bool {
	token, err := x.dec.Token()
	if err != nil {
		return false
	}
	offset := min(int(x.dec.InputOffset()), len(x.raw))
	x.line += bytes.Count(x.raw[x.at:offset], []byte("\n"))
	x.at = offset
	x.lines[path] = x.line
	prefix := path
	if prefix != "" {
		prefix += "/"
	}
	switch token {
	case json.Delim('{'):
		for x.dec.More() {
			key, err := x.dec.Token()
			word, ok := key.(string)
			if err != nil || !ok || !x.value(prefix+word) {
				return false
			}
		}
	case json.Delim('['):
		for i := 0; x.dec.More(); i++ {
			if !x.value(prefix + strconv.Itoa(i)) {
				return false
			}
		}
	default:
		return true
	}
	_, err = x.dec.Token()
	return err == nil
}
