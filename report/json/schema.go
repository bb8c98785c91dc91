package json

import (
	_ "embed"
	"slices"
)

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of what Write writes. Every field
// has a description; every number says its unit under x-unit, where "unit"
// stands for the one that the field unit beside it names. The bytes are the
// caller's own.
func Schema() []byte { return slices.Clone(schema) }
