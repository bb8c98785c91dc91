package suite

import _ "embed"

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema (draft 2020-12) of suite files, for editors. Which
// settings a probe takes is left to assay suite check.
func Schema() []byte { return schema }
