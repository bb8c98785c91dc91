// Package jsonlists prepares values for JSON whose readers walk lists without
// asking whether there is one.
package jsonlists

import "reflect"

// NeverNull returns a copy of a value with empty lists for nil ones, in all its
// exported fields. What is behind an interface or in a map stays as it is. The
// original is not changed.
func NeverNull[T any](v T) T { return whole(reflect.ValueOf(v)).Interface().(T) }

func whole(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Slice:
		if !v.IsNil() && !holdsLists(v.Type().Elem()) {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(whole(v.Index(i)))
		}
		return out
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(whole(v.Elem()))
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() { // time.Time keeps to itself
				out.Field(i).Set(whole(v.Field(i)))
			}
		}
		return out
	}
	return v
}

// holdsLists reports whether there may be a list in a value of a type.
func holdsLists(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer, reflect.Struct:
		return true
	}
	return false
}
