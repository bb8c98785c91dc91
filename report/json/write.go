package json

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"assay/report"
)

// Write writes the whole document at once, indented by two spaces, its fields
// always in the same order. Lists are never null. The error is w's, or says that
// the document holds a number that JSON cannot (NaN, an infinity); nothing is
// written then.
func Write(w io.Writer, d report.Document) error {
	if d.Schema == "" {
		d.Schema = report.Schema
	}
	d = whole(reflect.ValueOf(d)).Interface().(report.Document)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		return fmt.Errorf("cannot write the report of run %q as json: %w", d.Run.ID, err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// whole copies v with empty lists for nil ones, so that a reader can walk them
// without asking. The original is left as it is.
func whole(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Slice:
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
