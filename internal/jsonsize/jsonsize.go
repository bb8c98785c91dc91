// Package jsonsize estimates how much memory JSON will take before it is decoded.
//
// A few bytes of JSON can become many in memory: a list element takes two, whatever
// the size of the struct it becomes. Decoders of foreign input check first.
package jsonsize

import (
	"errors"
	"reflect"
)

// ErrTooLarge means that a document would take more memory than allowed.
var ErrTooLarge = errors.New("it takes too much memory once it is decoded")

const (
	// mostGrowth exceeds the bytes that any type of this project takes per
	// byte.
	mostGrowth = 1 << 10
	// deepest is the depth beyond which encoding/json refuses a document.
	deepest = 10_000
	// box is roughly what a map entry or a value of type any takes besides its contents.
	box = 48
)

// Check returns ErrTooLarge for a document that json.Unmarshal(raw, into) would need more than
// most bytes for. It finds no other fault: invalid JSON is left to encoding/json, which
// refuses it before it decodes anything.
func Check(raw []byte, into any, most int) error {
	if len(raw) <= most/mostGrowth {
		return nil
	}
	_, err := Weigh(raw, into, most)
	return err
}

// Weigh returns roughly how many bytes json.Unmarshal(raw, into) needs, or ErrTooLarge as
// soon as they exceed most.
func Weigh(raw []byte, into any, most int) (int, error) {
	s := scale{raw: raw, left: most}
	s.value(shapeOf(reflect.TypeOf(into).Elem()), 0)
	if s.left < 0 {
		return 0, ErrTooLarge
	}
	return most - s.left, nil
}

// scale weighs a document, value by value.
type scale struct {
	raw  []byte
	at   int
	left int // bytes
}

// value weighs the next value, to be decoded into that shape; nil is for a skipped one.
// It reports whether to continue.
func (s *scale) value(into *shape, depth int) bool {
	own := false
	if into != nil {
		s.left -= into.pointed
		if own = into.own; own {
			into = nil
		}
	}
	from := s.at
	ok := depth <= deepest && s.inner(into, depth)
	if own {
		s.left -= s.at - from
	}
	return ok && s.left >= 0
}

func (s *scale) inner(into *shape, depth int) bool {
	switch s.next() {
	case '{':
		return s.object(into, depth)
	case '[':
		return s.array(into, depth)
	case '"':
		word, ok := s.text()
		if into != nil {
			s.left -= len(word)
		}
		return ok
	case 0, '}', ']', ',', ':':
		return false
	}
	if into != nil && into.kind == reflect.Interface {
		s.left -= box
	}
	for ; s.at < len(s.raw); s.at++ {
		switch s.raw[s.at] {
		case ',', ']', '}', ' ', '\t', '\r', '\n':
			return true
		}
	}
	return true
}

func (s *scale) object(into *shape, depth int) bool {
	for first := true; ; first = false {
		s.at++ // the brace or the comma
		if s.next() == '}' && first {
			s.at++
			return true
		}
		if s.next() != '"' {
			return false
		}
		key, ok := s.text()
		if !ok || s.next() != ':' {
			return false
		}
		s.at++
		if !s.value(s.member(into, key), depth+1) {
			return false
		}
		switch s.next() {
		case ',':
		case '}':
			s.at++
			return true
		default:
			return false
		}
	}
}

// member returns the shape that a member of an object is decoded into.
func (s *scale) member(into *shape, key []byte) *shape {
	if into == nil {
		return nil
	}
	switch into.kind {
	case reflect.Struct:
		return into.field(key)
	case reflect.Map:
		s.left -= len(key) + into.size + box
		return into.of
	case reflect.Interface:
		s.left -= len(key) + 2*box
		return into
	}
	return nil
}

func (s *scale) array(into *shape, depth int) bool {
	var of *shape
	size := 0
	if into != nil {
		switch into.kind {
		case reflect.Slice, reflect.Array:
			of, size = into.of, into.size
		case reflect.Interface:
			of, size = into, box
		}
	}
	for first := true; ; first = false {
		s.at++ // the bracket or the comma
		if s.next() == ']' && first {
			s.at++
			return true
		}
		s.left -= size
		if !s.value(of, depth+1) {
			return false
		}
		switch s.next() {
		case ',':
		case ']':
			s.at++
			return true
		default:
			return false
		}
	}
}

// next returns the next non-blank byte, or 0 at the end.
func (s *scale) next() byte {
	for ; s.at < len(s.raw); s.at++ {
		switch c := s.raw[s.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// text skips a string and returns what is between its quotes.
func (s *scale) text() (word []byte, ok bool) {
	from := s.at + 1
	for i := from; i < len(s.raw); i++ {
		switch s.raw[i] {
		case '\\':
			i++
		case '"':
			s.at = i + 1
			return s.raw[from:i], true
		}
	}
	return nil, false
}
