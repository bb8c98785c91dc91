package jsonsize

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// shape is what matters about a type for the memory of its values.
type shape struct {
	kind    reflect.Kind
	pointed int               // bytes behind the pointers that lead to it
	own     bool              // it has its own decoding method
	of      *shape            // of an element of a list or map
	size    int               // bytes of such an element, and of its key
	fields  map[string]*shape // of a struct, by JSON name
}

var known sync.Map // *shape by reflect.Type

func shapeOf(t reflect.Type) *shape {
	if found, ok := known.Load(t); ok {
		return found.(*shape)
	}
	found, _ := known.LoadOrStore(t, newShape(t, map[reflect.Type]*shape{}))
	return found.(*shape)
}

// newShape returns the shape of a type. A type may contain itself: shapes under
// construction come from begun.
func newShape(t reflect.Type, begun map[reflect.Type]*shape) *shape {
	if s := begun[t]; s != nil {
		return s
	}
	s := &shape{}
	begun[t] = s
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
		s.pointed += int(t.Size())
	}
	s.kind = t.Kind()
	if s.own = decodesItself(t); s.own {
		return s
	}
	switch s.kind {
	case reflect.Slice, reflect.Array:
		s.of, s.size = newShape(t.Elem(), begun), int(t.Elem().Size())
	case reflect.Map:
		s.of, s.size = newShape(t.Elem(), begun), int(t.Key().Size()+t.Elem().Size())
	case reflect.Struct:
		s.fields = fieldsOf(t, begun)
	}
	return s
}

// field finds a field as encoding/json does: by name, in any case.
func (s *shape) field(key []byte) *shape {
	if bytes.IndexByte(key, '\\') >= 0 {
		var plain string
		if json.Unmarshal([]byte(`"`+string(key)+`"`), &plain) != nil {
			return nil
		}
		key = []byte(plain)
	}
	if field, ok := s.fields[string(key)]; ok {
		return field
	}
	for name, field := range s.fields {
		if strings.EqualFold(name, string(key)) {
			return field
		}
	}
	return nil
}

func fieldsOf(t reflect.Type, begun map[reflect.Type]*shape) map[string]*shape {
	all, depths := map[string]*shape{}, map[string]int{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() || f.Anonymous && name == "" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		if depth, ok := depths[name]; !ok || len(f.Index) < depth {
			all[name], depths[name] = newShape(f.Type, begun), len(f.Index)
		}
	}
	return all
}

// decodesItself reports whether a type has its own decoding method. The result is
// assumed to be no longer than the text.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
