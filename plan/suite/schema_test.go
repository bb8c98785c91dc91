package suite

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"assay"
)

// The schema has the same keys and kinds of subject as the reader.
func TestTheSchemaHasAllKeys(t *testing.T) {
	type object struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Defs       map[string]struct {
			Properties map[string]struct {
				Enum []string `json:"enum"`
			} `json:"properties"`
		} `json:"$defs"`
	}
	var got object
	if err := json.Unmarshal(Schema(), &got); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]struct {
		of  any
		has []string
	}{
		"a suite": {written{}, keys(got.Properties)}, "a case": {entry{}, keys(got.Defs["Case"].Properties)},
	} {
		want := tags(reflect.TypeOf(s.of))
		slices.Sort(want)
		if !slices.Equal(s.has, want) {
			t.Errorf("%s has %v, its schema %v", name, want, s.has)
		}
	}
	var on []assay.SubjectKind
	for _, word := range got.Defs["Case"].Properties["on"].Enum {
		on = append(on, assay.SubjectKind(word))
	}
	if !slices.Equal(on, kinds) {
		t.Errorf("on: %v, in the schema %v", kinds, on)
	}
}

func keys[V any](m map[string]V) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

func tags(t reflect.Type) (all []string) {
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.Tag.Get("yaml") != "":
			all = append(all, f.Tag.Get("yaml"))
		case f.Anonymous:
			all = append(all, tags(f.Type)...)
		}
	}
	return all
}
