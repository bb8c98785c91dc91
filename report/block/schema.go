package block

import (
	_ "embed"
	"slices"
)

// Version names the format of a document in JSON.
const Version = "assay.document.v2"

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of a document in JSON: its members, and
// its Version as "schema". The caller owns the bytes.
func Schema() []byte { return slices.Clone(schema) }
