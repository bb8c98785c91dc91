package fio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// deepest is the maximum nesting depth of values; fio's own are 7 deep.
const deepest = 64

// scanner reads a JSON value in one pass, from wherever it begins to its end,
// and tracks the line of every number. Some versions of fio print nan and inf,
// which are not JSON: they count as absent numbers. The first error is kept,
// and everything after it reads as absent.
type scanner struct {
	text  []byte
	at    int
	line  int // of at, from 1
	depth int
	err   error
	// reached is how far scanning got before the error.
	reached int
}

func (s *scanner) fail(err error) {
	if s.err == nil {
		s.err, s.reached = err, s.at
	}
	s.at = len(s.text)
}

// peek skips blanks and returns the byte after them, or 0 at the end.
func (s *scanner) peek() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case '\n':
			s.line++
			s.at++
		case ' ', '\t', '\r':
			s.at++
		default:
			return c
		}
	}
	s.fail(io.ErrUnexpectedEOF)
	return 0
}

// take consumes the byte c, which must come next.
func (s *scanner) take(c byte) bool {
	got := s.peek()
	if got == c {
		s.at++
		return true
	}
	if s.err == nil {
		s.fail(fmt.Errorf("line %d: found %q, expected %q", s.line, got, c))
	}
	return false
}

// object calls field with each key of an object, in order; field must read the
// value with exactly one call. A value that is not an object is skipped.
func (s *scanner) object(field func(key []byte)) {
	if s.peek() != '{' {
		s.skip()
		return
	}
	s.inside('}', func() {
		key := s.quoted()
		if s.take(':') {
			field(key)
		}
	})
}

// list calls element for each element of an array, as object does.
func (s *scanner) list(element func()) {
	if s.peek() != '[' {
		s.skip()
		return
	}
	s.inside(']', element)
}

// inside reads comma-separated items from the current byte to end.
func (s *scanner) inside(end byte, one func()) {
	if s.depth++; s.depth > deepest {
		s.fail(fmt.Errorf("line %d: values are nested too deeply", s.line))
		return
	}
	defer func() { s.depth-- }()
	s.at++
	if s.peek() == end {
		s.at++
		return
	}
	for s.err == nil {
		one()
		if s.peek() == ',' {
			s.at++
			continue
		}
		s.take(end)
		return
	}
}

// quoted reads a string.
func (s *scanner) quoted() []byte {
	if !s.take('"') {
		return nil
	}
	escaped := false
	for i := s.at; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			escaped = true
			i++
		case '\n':
			s.fail(fmt.Errorf("line %d: unterminated string", s.line))
			return nil
		case '"':
			raw := s.text[s.at:i]
			s.at = i + 1
			if escaped {
				return s.unescape(raw)
			}
			return raw
		}
	}
	s.fail(io.ErrUnexpectedEOF)
	return nil
}

func (s *scanner) unescape(raw []byte) []byte {
	var text string
	if err := json.Unmarshal(append(append([]byte{'"'}, raw...), '"'), &text); err != nil {
		s.fail(fmt.Errorf("line %d: %w", s.line, err))
		return nil
	}
	return []byte(text)
}

// bare reads a value without quotes or brackets.
func (s *scanner) bare() []byte {
	from := s.at
	for s.at < len(s.text) {
		c := s.text[s.at]
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		s.at++
	}
	word := s.text[from:s.at]
	switch {
	case s.at == len(s.text):
		s.fail(io.ErrUnexpectedEOF)
	case len(word) == 0:
		s.fail(fmt.Errorf("line %d: %q is not a value", s.line, s.text[s.at]))
	case word[0] == '-' || word[0] >= '0' && word[0] <= '9' || isWord(word):
		return word
	default:
		s.fail(fmt.Errorf("line %d: %.20q is not a value", s.line, word))
	}
	return nil
}

func isWord(word []byte) bool {
	switch string(bytes.ToLower(word)) {
	case "true", "false", "null", "nan", "inf", "infinity":
		return true
	}
	return false
}

// skip skips one value of any kind.
func (s *scanner) skip() {
	switch s.peek() {
	case '{':
		s.object(func([]byte) { s.skip() })
	case '[':
		s.list(s.skip)
	case '"':
		s.quoted()
	case 0:
	default:
		s.bare()
	}
}

// word reads a string, or a number as written; "" for anything else. It retains
// no part of the text being read.
func (s *scanner) word() string {
	switch c := s.peek(); {
	case c == '"':
		return strings.ToValidUTF8(strings.TrimSpace(string(s.quoted())), "\uFFFD")
	case c == '-' || c >= '0' && c <= '9':
		return string(s.bare())
	}
	s.skip()
	return ""
}

// number reads a number. Anything else is absent, with the word found in its
// place.
func (s *scanner) number() number {
	c := s.peek()
	n := number{line: s.line}
	if c == '"' || c == '{' || c == '[' || c == 0 {
		s.skip()
		return n
	}
	word := s.bare()
	if s.err != nil {
		return n
	}
	v, ok := quickNumber(word)
	if !ok {
		var err error
		v, err = strconv.ParseFloat(string(word), 64)
		if math.IsInf(v, 0) && bytes.IndexByte(word, 'n') < 0 && bytes.IndexByte(word, 'N') < 0 {
			s.fail(fmt.Errorf("line %d: %.40s is out of range", n.line, word))
			return n
		}
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			n.word = string(word)
			return n
		}
	}
	n.v, n.set = v, true
	return n
}

// quickNumber reads digits with at most one point, fifteen in total at most: a
// whole number and a power of ten that are both exact have an exact quotient.
// ok is false for anything longer or different.
func quickNumber(word []byte) (v float64, ok bool) {
	digits, point := word, -1
	if len(word) > 0 && word[0] == '-' {
		digits = word[1:]
	}
	if len(digits) == 0 || len(digits) > 16 {
		return 0, false
	}
	n := int64(0)
	for i, c := range digits {
		switch {
		case c >= '0' && c <= '9':
			n = n*10 + int64(c-'0')
		case c == '.' && point < 0:
			point = i
		default:
			return 0, false
		}
	}
	if n >= 1e15 || point == 0 {
		return 0, false
	}
	v = float64(n)
	if point > 0 {
		v /= tens[len(digits)-point-1]
	}
	if len(digits) < len(word) {
		v = -v
	}
	return v, true
}

var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
