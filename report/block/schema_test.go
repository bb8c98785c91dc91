package block_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/report/block"
	reportjson "assay/report/json"
	"assay/report/reporttest"
)

// kinds are all kinds of block, by the name of their definition.
var kinds = map[string]block.Block{
	"Heading": block.Heading{}, "SentenceBlock": block.Sentence{}, "List": block.List{}, "Code": block.Code{}, "Details": block.Details{},
	"Footnotes": block.Footnotes{}, "Bars": block.Bars{}, "TableBlock": block.Table{}, "Values": block.Values{}, "Matrix": block.Matrix{},
	"Plot": block.Plot{}, "Timeline": block.Timeline{}, "Intervals": block.Intervals{}, "Links": block.Links{},
	"Annotated": block.Annotated{}, "Lanes": block.Lanes{},
}

func TestTheSchemaKnowsEveryBlock(t *testing.T) {
	w := reporttest.NewSchemaWalker(t, block.Schema())
	w.Document(reflect.TypeFor[block.Document](), "schema")
	var items struct{ OneOf []reporttest.SchemaNode }
	if err := json.Unmarshal(w.Root.Defs["Blocks"].Items, &items); err != nil {
		t.Fatal(err)
	}
	for name, b := range kinds {
		w.Def(name, reflect.TypeOf(b), "block")
		if got := w.Root.Defs[name].Properties["block"].Const; got != b.Kind() {
			t.Errorf("%s is called %q, and is %q", name, got, b.Kind())
		}
		if !slices.ContainsFunc(items.OneOf, func(n reporttest.SchemaNode) bool { return n.Ref == "#/$defs/"+name }) {
			t.Errorf("%s is no block", name)
		}
	}
	if len(items.OneOf) != len(kinds) {
		t.Errorf("%d blocks in the schema, %d in this test", len(items.OneOf), len(kinds))
	}
	w.Referred()
}

func TestTheSchemaAllowsWhatThereIs(t *testing.T) {
	s := reporttest.Compiled(t, block.Schema())
	zero := block.Document{Blocks: block.Blocks{
		block.Table{Rows: []block.Row{{}, {Absent: &block.Absent{}}}, Columns: make([]block.Column, 1)}, block.Matrix{Cells: [][]block.Cell{nil}},
		block.Plot{Lines: []block.Line{{}}, Numbers: &block.Table{}}, block.Timeline{Series: []block.Series{{}}},
		block.Bars{Bars: []block.Bar{{}}}, block.Values{Groups: []block.Group{{}}}, block.Footnotes{Notes: []block.Footnote{{}}}, block.Intervals{Rows: []block.Interval{{}}},
		block.Lanes{Lanes: []block.Lane{{Stretches: []block.Stretch{{}}, Marks: []block.Mark{{}}}}},
	}}
	for _, b := range kinds {
		zero.Add(b)
	}
	for name, d := range map[string]block.Document{
		"zero values": zero, "content": {Title: "A day of failures", Blocks: failover("pve1", []float64{1.5, 3.25})},
	} {
		var b bytes.Buffer
		if err := reportjson.Render(&b, d); err != nil {
			t.Fatal(err)
		}
		var whole struct{ Document json.RawMessage }
		if err := json.Unmarshal(b.Bytes(), &whole); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(reporttest.Instance(t, whole.Document)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "zero values" && strings.Contains(strings.ReplaceAll(b.String(), `"block": "`, ""), "null") {
			t.Errorf("there is a null in %s", b.String())
		}
	}
}
