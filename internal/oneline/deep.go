package oneline

import (
	"reflect"
	"sync"
)

// Deep returns a copy of a value in which every string is clean, however deeply it is nested
// in fields, lists, maps, pointers and interfaces, so that no field is forgotten. A field
// tagged `oneline:"lines"` keeps its lines, one tagged `oneline:"blanks"` is one line that
// keeps its blanks, and one tagged `oneline:"-"` is unchanged, as are unexported fields. The
// original is not changed.
func Deep[T any](v T) T {
	out := reflect.New(reflect.TypeFor[T]()).Elem()
	out.Set(clean(reflect.ValueOf(&v).Elem(), Clean))
	return out.Interface().(T)
}

func clean(v reflect.Value, text func(string) string) reflect.Value {
	if !holdsText(v.Type()) {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(text(v.String()))
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(clean(v.Index(i), text))
		}
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for key, value := range v.Seq2() {
			out.SetMapIndex(clean(key, text), clean(value, text))
		}
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.New(v.Type().Elem()))
		out.Elem().Set(clean(v.Elem(), text))
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(clean(v.Elem(), text))
		}
	case reflect.Struct:
		out.Set(v)
		for _, f := range fieldsOf(v.Type()) {
			fieldText := text
			switch f.tag {
			case "lines":
				fieldText = func(s string) string { return Lines(s, "") }
			case "blanks":
				fieldText = func(s string) string { return Keep(s, ' ') }
			}
			out.Field(f.i).Set(clean(v.Field(f.i), fieldText))
		}
	default:
		return v
	}
	return out
}

// field is a struct field to be cleaned.
type field struct {
	i   int
	tag string
}

var structs sync.Map // by type: its fields

// fieldsOf returns the fields of a struct that may hold a string to clean.
func fieldsOf(t reflect.Type) []field {
	if known, ok := structs.Load(t); ok {
		return known.([]field)
	}
	var all []field
	for i := range t.NumField() {
		f := t.Field(i)
		if tag := f.Tag.Get("oneline"); f.IsExported() && tag != "-" && holdsText(f.Type) {
			all = append(all, field{i, tag})
		}
	}
	structs.Store(t, all)
	return all
}

var textual sync.Map // by type: whether its values may hold a string

// holdsText reports whether a value of a type may hold a string. Most values in a
// report are numbers, which need no copy.
func holdsText(t reflect.Type) bool {
	if known, ok := textual.Load(t); ok {
		return known.(bool)
	}
	holds := findText(t, map[reflect.Type]bool{})
	textual.Store(t, holds)
	return holds
}

func findText(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false // the outer call checks the rest of it
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.String, reflect.Interface:
		return true
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return findText(t.Elem(), seen)
	case reflect.Map:
		return findText(t.Key(), seen) || findText(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && findText(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
