package json

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/report"
	"assay/report/reporttest"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestDocumentsAreValid(t *testing.T) {
	s := compiled(t)
	for name, d := range map[string]report.Document{
		"the fixture": reporttest.Document(),
		"a cluster":   reporttest.Cluster(),
		"tiers":       reporttest.Tiers(),
		"scaling":     reporttest.Scaling(),
		"nothing":     {},
	} {
		t.Run(name, func(t *testing.T) {
			if err := s.Validate(instance(t, written(t, d))); err != nil {
				t.Error(err)
			}
		})
	}
}

// The fixture would prove little if it left fields out.
func TestTheFixtureUsesEveryField(t *testing.T) {
	used := map[string]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[time.Time]() {
				return
			}
			for i := range v.NumField() {
				name := v.Type().String() + "." + v.Type().Field(i).Name
				used[name] = used[name] || !v.Field(i).IsZero()
				walk(v.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(reporttest.Document()))
	walk(reflect.ValueOf(reporttest.Cluster()))
	walk(reflect.ValueOf(reporttest.Tiers()))
	walk(reflect.ValueOf(reporttest.Scaling()))
	for name, is := range used {
		if !is {
			t.Errorf("%s is empty everywhere", name)
		}
	}
}

func TestTheSchemaRefuses(t *testing.T) {
	s := compiled(t)
	for name, spoil := range map[string]func(d map[string]any){
		"a field it does not know": func(d map[string]any) { d["colour"] = "blue" },
		"a field it does not know, deep inside": func(d map[string]any) {
			d["sections"].([]any)[0].(map[string]any)["rows"].([]any)[0].(map[string]any)["figures"].([]any)[0].(map[string]any)["mean"] = 1
		},
		"a field of a finding it does not know": func(d map[string]any) { d["findings"].([]any)[0].(map[string]any)["id"] = "x" },
		"a missing field":                       func(d map[string]any) { delete(d["run"].(map[string]any), "seed") },
		"another version":                       func(d map[string]any) { d["schema"] = "assay.report.v2" },
		"a number as text":                      func(d map[string]any) { d["run"].(map[string]any)["elapsed"] = "872" },
		"an unknown severity":                   func(d map[string]any) { d["findings"].([]any)[0].(map[string]any)["severity"] = "X" },
		"a point of three numbers": func(d map[string]any) {
			c := d["plots"].(map[string]any)["latency"].([]any)[0].(map[string]any)
			c["points"] = []any{[]any{1, 2, 3}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := instance(t, written(t, reporttest.Document())).(map[string]any)
			spoil(d)
			if s.Validate(d) == nil {
				t.Error("it is accepted")
			}
		})
	}
}

// node is as much of a schema as the walk needs.
type node struct {
	Ref                  string           `json:"$ref"`
	Description          string           `json:"description"`
	Type                 string           `json:"type"`
	Unit                 string           `json:"x-unit"`
	Enum                 []string         `json:"enum"`
	Properties           map[string]*node `json:"properties"`
	Required             []string         `json:"required"`
	AdditionalProperties *bool            `json:"additionalProperties"`
	Items                json.RawMessage  `json:"items"`
	PrefixItems          []*node          `json:"prefixItems"`
	Defs                 map[string]*node `json:"$defs"`
}

// Every field of every struct is described, with its unit where it is a number,
// and is required where it is always written.
func TestTheSchemaKnowsEveryField(t *testing.T) {
	var root node
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	w := walker{t: t, root: &root, seen: map[string]bool{}}
	w.visit(&root, reflect.TypeFor[report.Document](), "Document")
	for name := range root.Defs {
		if !w.seen["#/$defs/"+name] {
			t.Errorf("nothing refers to %s", name)
		}
	}
}

type walker struct {
	t    *testing.T
	root *node
	seen map[string]bool
}

func (w walker) visit(n *node, typ reflect.Type, path string) {
	if n.Ref != "" {
		target := w.root.Defs[strings.TrimPrefix(n.Ref, "#/$defs/")]
		if target == nil {
			w.t.Errorf("%s: %s is not defined", path, n.Ref)
			return
		}
		if w.seen[n.Ref] {
			return
		}
		w.seen[n.Ref] = true
		n = target
	}
	want := ""
	switch typ.Kind() {
	case reflect.Pointer:
		w.visit(n, typ.Elem(), path)
		return
	case reflect.Struct:
		if typ == reflect.TypeFor[time.Time]() {
			want = "string"
			break
		}
		want = "object"
		w.fields(n, typ, path)
	case reflect.Slice:
		want = "array"
		var items node
		if err := json.Unmarshal(n.Items, &items); err != nil {
			w.t.Errorf("%s: items: %v", path, err)
			return
		}
		w.visit(&items, typ.Elem(), path+"[]")
	case reflect.Array:
		want = "array"
		if len(n.PrefixItems) != typ.Len() {
			w.t.Errorf("%s: %d items where there are %d", path, len(n.PrefixItems), typ.Len())
		}
		for _, item := range n.PrefixItems {
			w.visit(item, typ.Elem(), path+"[]")
		}
	case reflect.Float64:
		want = "number"
	case reflect.Int, reflect.Int64:
		want = "integer"
	case reflect.String:
		want = "string"
	case reflect.Bool:
		want = "boolean"
	default:
		w.t.Errorf("%s: do not know how %s is written", path, typ)
	}
	if n.Type != want {
		w.t.Errorf("%s: type %q, want %q", path, n.Type, want)
	}
	if (want == "number" || want == "integer") && n.Unit == "" {
		w.t.Errorf("%s: a number without a unit", path)
	}
}

func (w walker) fields(n *node, typ reflect.Type, path string) {
	if n.AdditionalProperties == nil || *n.AdditionalProperties {
		w.t.Errorf("%s: additionalProperties is not false", path)
	}
	known := map[string]bool{}
	for _, f := range jsonFields(typ) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		at := path + "." + name
		known[name] = true
		field := n.Properties[name]
		if field == nil {
			w.t.Errorf("%s is not in the schema", at)
			continue
		}
		if field.Description == "" {
			w.t.Errorf("%s has no description", at)
		}
		if always := !strings.Contains(options, "omit"); always != slices.Contains(n.Required, name) {
			w.t.Errorf("%s: required is %v, but it is always written: %v", at, !always, always)
		}
		w.visit(field, f.Type, at)
	}
	for name := range n.Properties {
		if !known[name] {
			w.t.Errorf("%s.%s is in the schema only", path, name)
		}
	}
}

// jsonFields gives the fields as encoding/json sees them: those of an embedded
// struct are the outer one's own.
func jsonFields(typ reflect.Type) []reflect.StructField {
	var all []reflect.StructField
	for i := range typ.NumField() {
		switch f := typ.Field(i); {
		case f.Anonymous && f.Tag.Get("json") == "":
			all = append(all, jsonFields(f.Type)...)
		case f.Tag.Get("json") != "-":
			all = append(all, f)
		}
	}
	return all
}

// The words that the schema allows are those that the code has.
func TestTheSchemaKnowsEveryWord(t *testing.T) {
	var root node
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	for _, m := range assay.Metrics {
		if !slices.Contains(root.Defs["Figure"].Properties["unit"].Enum, string(m.Unit)) {
			t.Errorf("unit %q of %s is not in the schema", m.Unit, m.Name)
		}
	}
	words := root.Defs["Absence"].Properties["word"].Enum
	for _, w := range []assay.AbsenceWord{assay.NotSupported, assay.NoData, assay.Failed, assay.Unknown} {
		if !slices.Contains(words, string(w)) {
			t.Errorf("absence %q is not in the schema", w)
		}
	}
	if root.Properties["schema"] == nil || !bytes.Contains(Schema(), []byte(`"const": "`+report.Schema+`"`)) {
		t.Errorf("the schema is not that of %s", report.Schema)
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const name = "report.json"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, instance(t, Schema())); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func instance(t *testing.T, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
