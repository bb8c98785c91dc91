package reporttest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/report/block"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Compiled returns a JSON Schema for validating documents.
func Compiled(t *testing.T, schema []byte) *jsonschema.Schema {
	t.Helper()
	const name = "schema.json"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, Instance(t, schema)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Instance decodes JSON for validation by a schema.
func Instance(t *testing.T, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// SchemaNode is the part of a schema that SchemaWalker needs.
type SchemaNode struct {
	Ref                  string                 `json:"$ref"`
	Description          string                 `json:"description"`
	Type                 any                    `json:"type"`
	Const                string                 `json:"const"`
	Unit                 string                 `json:"x-unit"`
	Enum                 []string               `json:"enum"`
	Properties           map[string]*SchemaNode `json:"properties"`
	Required             []string               `json:"required"`
	AdditionalProperties *bool                  `json:"additionalProperties"`
	Items                json.RawMessage        `json:"items"`
	PrefixItems          []*SchemaNode          `json:"prefixItems"`
	Defs                 map[string]*SchemaNode `json:"$defs"`
}

// SchemaWalker compares a schema with Go types: every field of every struct
// must be described, have a unit if it is a number, and be required if it is
// always written.
type SchemaWalker struct {
	Root *SchemaNode
	t    *testing.T
	seen map[string]bool
}

// NewSchemaWalker reads a schema.
func NewSchemaWalker(t *testing.T, schema []byte) SchemaWalker {
	t.Helper()
	w := SchemaWalker{t: t, Root: &SchemaNode{}, seen: map[string]bool{}}
	if err := json.Unmarshal(schema, w.Root); err != nil {
		t.Fatal(err)
	}
	return w
}

// Document checks that the root of the schema matches a type, apart from further
// members.
func (w SchemaWalker) Document(typ reflect.Type, further ...string) {
	w.fields(w.Root, typ, typ.Name(), further)
}

// Def checks that a definition matches a type, apart from further members.
func (w SchemaWalker) Def(name string, typ reflect.Type, further ...string) {
	w.seen["#/$defs/"+name] = true
	w.fields(w.Root.Defs[name], typ, name, further)
}

// Referred fails the test if nothing refers to a definition.
func (w SchemaWalker) Referred(but ...string) {
	for name := range w.Root.Defs {
		if !w.seen["#/$defs/"+name] && !slices.Contains(but, name) {
			w.t.Errorf("nothing refers to %s", name)
		}
	}
}

func (w SchemaWalker) visit(n *SchemaNode, typ reflect.Type, path string) {
	if n.Ref != "" {
		target := w.Root.Defs[strings.TrimPrefix(n.Ref, "#/$defs/")]
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
		w.fields(n, typ, path, nil)
	case reflect.Slice:
		want = "array"
		if typ == reflect.TypeFor[block.Blocks]() {
			break // a test of its own checks what they are
		}
		var items SchemaNode
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
		if typ == reflect.TypeFor[block.Number]() {
			want = "number or null"
		}
	case reflect.Int, reflect.Int64:
		want = "integer"
	case reflect.String:
		want = "string"
	case reflect.Bool:
		want = "boolean"
	default:
		w.t.Errorf("%s: do not know how %s is written", path, typ)
	}
	if got := typeWords(n.Type); got != want {
		w.t.Errorf("%s: type %q, want %q", path, got, want)
	}
	if (strings.HasPrefix(want, "number") || want == "integer") && n.Unit == "" {
		w.t.Errorf("%s: a number without a unit", path)
	}
}

func typeWords(v any) string {
	if several, is := v.([]any); is {
		var words []string
		for _, one := range several {
			words = append(words, one.(string))
		}
		return strings.Join(words, " or ")
	}
	word, _ := v.(string)
	return word
}

func (w SchemaWalker) fields(n *SchemaNode, typ reflect.Type, path string, further []string) {
	if n == nil {
		w.t.Errorf("%s is not in the schema", path)
		return
	}
	if n.AdditionalProperties == nil || *n.AdditionalProperties {
		w.t.Errorf("%s: additionalProperties is not false", path)
	}
	known := map[string]bool{}
	for _, name := range further {
		known[name] = true
		if n.Properties[name] == nil || !slices.Contains(n.Required, name) {
			w.t.Errorf("%s.%s is not required by the schema", path, name)
		}
	}
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

// jsonFields returns the fields as encoding/json sees them: those of an
// embedded struct belong to the outer one.
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
