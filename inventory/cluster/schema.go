package cluster

import (
	_ "embed"
	"slices"
)

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of a cluster.yaml, for editors. It
// refuses what Read refuses, but for what one value says of another: a name that
// is not defined, an address that two hosts have. The bytes are the caller's own.
func Schema() []byte { return slices.Clone(schema) }
