package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"assay/internal/jsonlists"
	"assay/report/block"
)

//go:embed schema.json
var schema []byte

// JSONSchema returns the JSON Schema (draft 2020-12) of a run's JSON report: the
// members of Document, and next to them "document", the same as blocks. Every
// field has a description; every number has its unit under x-unit, where "unit"
// means the one in the neighbouring field unit.
func JSONSchema() []byte {
	var blocks bytes.Buffer
	_ = json.Indent(&blocks, block.Schema(), "    ", "  ") // it is our own file
	const defs = "\"$defs\": {\n"
	return bytes.Replace(schema, []byte(defs), fmt.Appendf(nil, "%s    \"blocks\": %s,\n", defs, bytes.TrimSpace(blocks.Bytes())), 1)
}

// MarshalJSON writes the document with lists that are never null. A number that
// JSON lacks (NaN, an infinity) is an error.
func (d Document) MarshalJSON() ([]byte, error) {
	type members Document // without this method
	if d.Schema == "" {
		d.Schema = Schema
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(members(jsonlists.NeverNull(d))); err != nil {
		return nil, fmt.Errorf("cannot write the report of run %q as JSON: %w", d.Run.ID, err)
	}
	return b.Bytes(), nil
}
