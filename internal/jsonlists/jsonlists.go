// Package jsonlists prepares values for JSON readers that walk lists without
// checking for null.
package jsonlists

import "reflect"

// NeverNull returns a copy of a value with empty lists for nil ones, in all its
// exported fields. Values behind an interface or in a map are unchanged, as is
// the original.
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
			if v.Type().Field(i).IsExported() { // unlike those of time.Time
				out.Field(i).Set(whole(v.Field(i)))
			}
		}
		return out
	}
	return v
}

// holdsLists reports whether a value of a type may hold a list.
func holdsLists(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer, reflect.Struct:
		return true
	}
	return false
}
