// Package jsonsize tells, before JSON is decoded, how much memory that would take.
//
// A few bytes of JSON can make many in memory: two for an element of a list, whatever
// the size of the struct that it becomes. Who decodes what others wrote asks first.
package jsonsize

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"
)

// ErrTooLarge says that a document would take more memory than it may.
var ErrTooLarge = errors.New("it takes too much memory once it is decoded")

const (
	// mostGrowth is more than any type of this project makes of one byte.
	mostGrowth = 1 << 10
	// deepest is how deep encoding/json goes before it refuses a document.
	deepest = 10_000
	// box is about what an entry of a map or a value of any type takes beside its contents.
	box = 48
)

// Check returns ErrTooLarge for a document that json.Unmarshal(raw, into) would need more than
// most bytes for. It sees no other fault: what is not JSON is left to encoding/json, which
// refuses it before it decodes anything.
func Check(raw []byte, into any, most int) error {
	if len(raw) <= most/mostGrowth {
		return nil
	}
	_, err := Weigh(raw, into, most)
	return err
}

// Weigh returns about how many bytes json.Unmarshal(raw, into) needs, and ErrTooLarge, as
// soon as it is known, where those are more than most.
func Weigh(raw []byte, into any, most int) (int, error) {
	s := scale{raw: raw, left: most}
	s.value(reflect.TypeOf(into).Elem(), 0)
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

// value weighs the next value, which is decoded into a t; nil is for one that is passed
// over. It reports whether there is a point in going on.
func (s *scale) value(t reflect.Type, depth int) bool {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
		s.left -= int(t.Size())
	}
	own := t != nil && decodesItself(t)
	if own {
		t = nil
	}
	from := s.at
	ok := depth <= deepest && s.inner(t, depth)
	if own {
		s.left -= s.at - from
	}
	return ok && s.left >= 0
}

func (s *scale) inner(t reflect.Type, depth int) bool {
	switch s.next() {
	case '{':
		return s.object(t, depth)
	case '[':
		return s.array(t, depth)
	case '"':
		word, ok := s.text()
		if t != nil {
			s.left -= len(word)
		}
		return ok
	case 0, '}', ']', ',', ':':
		return false
	}
	if t != nil && t.Kind() == reflect.Interface {
		s.left -= box
	}
	if end := bytes.IndexAny(s.raw[s.at:], ",]} \t\r\n"); end >= 0 {
		s.at += end
		return true
	}
	s.at = len(s.raw)
	return true
}

func (s *scale) object(t reflect.Type, depth int) bool {
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
		if !s.value(s.member(t, key), depth+1) {
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

// member returns what a member of an object is decoded into.
func (s *scale) member(t reflect.Type, key []byte) reflect.Type {
	if t == nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		return fieldOf(t, key)
	case reflect.Map:
		s.left -= len(key) + int(t.Key().Size()+t.Elem().Size()) + box
		return t.Elem()
	case reflect.Interface:
		s.left -= len(key) + 2*box
		return t
	}
	return nil
}

func (s *scale) array(t reflect.Type, depth int) bool {
	var of reflect.Type
	size := 0
	if t != nil {
		switch t.Kind() {
		case reflect.Slice, reflect.Array:
			of = t.Elem()
			size = int(of.Size())
		case reflect.Interface:
			of, size = t, box
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

// next returns the next byte that is no blank, and 0 at the end.
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

// text passes over a string and returns what stands between its quotes.
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

// fields are those of a struct by their names in JSON.
type fields map[string]reflect.Type

var known sync.Map // fields by reflect.Type

// fieldOf finds a field as encoding/json does: by its name, in any case.
func fieldOf(t reflect.Type, key []byte) reflect.Type {
	all, ok := known.Load(t)
	if !ok {
		all, _ = known.LoadOrStore(t, fieldsOf(t))
	}
	if bytes.IndexByte(key, '\\') >= 0 {
		var plain string
		if json.Unmarshal([]byte(`"`+string(key)+`"`), &plain) != nil {
			return nil
		}
		key = []byte(plain)
	}
	if field, ok := all.(fields)[string(key)]; ok {
		return field
	}
	for name, field := range all.(fields) {
		if strings.EqualFold(name, string(key)) {
			return field
		}
	}
	return nil
}

func fieldsOf(t reflect.Type) fields {
	all, depths := fields{}, map[string]int{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() || f.Anonymous && name == "" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		if depth, ok := depths[name]; !ok || len(f.Index) < depth {
			all[name], depths[name] = f.Type, len(f.Index)
		}
	}
	return all
}

// decodesItself reports whether a type has a method of its own to decode it. What that
// makes of a text is taken to be no longer than the text.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
