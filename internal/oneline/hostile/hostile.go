// Package hostile provides tests with text that would drive a terminal, reverse
// reading order or forge a line; values full of it; and a check of what came through
// in an output.
package hostile

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"assay/internal/oneline"
)

// Forged is the line that Text would forge.
const Forged = "FORGED"

// Text has one of everything that must not reach a reader raw.
const Text = "x\x1b[31m\x1b]0;t\a \u009b2J\u0085 \u202egnp.exe\u2066 \u200f\u200d\ufe0f\u2028\u2029\ufeff\b\v\f\x7f\r\n" + Forged + "\ny"

// Fill puts text into every string of a value, however deeply nested: empty lists and
// maps get an element, nil pointers a value. A value behind an interface is filled if
// it is there. Numbers that are 0 become 1, so that nothing is omitted as empty. skip
// names fields, as Type.Field, to leave unchanged.
func Fill(v any, text string, skip ...string) {
	fill(reflect.ValueOf(v).Elem(), text, skip, nil)
}

func fill(v reflect.Value, text string, skip []string, within []reflect.Type) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if v.IsZero() {
			v.SetInt(1)
		}
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.IsZero() {
			v.SetUint(1)
		}
	case reflect.Float32, reflect.Float64:
		if v.IsZero() {
			v.SetFloat(1)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(text))
			return
		}
		if v.Len() == 0 && v.Type().Elem().Kind() != reflect.Interface && !recurs(v.Type().Elem(), within) {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			fill(v.Index(i), text, skip, within)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), text, skip, within)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, text, skip, within)
		fill(value, text, skip, within)
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for _, k := range v.MapKeys() {
			old := reflect.New(v.Type().Elem()).Elem()
			old.Set(v.MapIndex(k))
			fill(old, text, skip, within)
			v.SetMapIndex(k, old)
		}
		v.SetMapIndex(key, value)
	case reflect.Pointer:
		if v.IsNil() {
			if recurs(v.Type().Elem(), within) {
				return
			}
			v.Set(reflect.New(v.Type().Elem()))
		}
		fill(v.Elem(), text, skip, within)
	case reflect.Interface:
		if !v.IsNil() {
			filled := reflect.New(v.Elem().Type()).Elem()
			filled.Set(v.Elem())
			fill(filled, text, skip, within)
			v.Set(filled)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		within = append(within, v.Type())
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && !skipped(v.Type(), i, skip) {
				fill(v.Field(i), text, skip, within)
			}
		}
	}
}

func recurs(t reflect.Type, within []reflect.Type) bool {
	for _, w := range within {
		if w == t {
			return true
		}
	}
	return false
}

func skipped(t reflect.Type, field int, skip []string) bool {
	for _, name := range skip {
		if name == t.Name()+"."+t.Field(field).Name {
			return true
		}
	}
	return false
}

// Found returns what of Text is raw in an output, with its surroundings; "" for
// nothing. Line breaks are the output's own.
func Found(output string) string {
	for i, r := range output {
		if r != '\n' && oneline.Raw(r) {
			return fmt.Sprintf("%U in %q", r, output[max(i-60, 0):min(i+60, len(output))])
		}
	}
	for _, line := range strings.Split(output, "\n") {
		if line == Forged {
			at := strings.Index("\n"+output+"\n", "\n"+Forged+"\n")
			return fmt.Sprintf("a forged line in %q", output[max(at-60, 0):min(at+60, len(output))])
		}
	}
	return ""
}
