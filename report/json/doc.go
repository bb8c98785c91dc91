// Package json writes a Document for programs, and publishes the JSON Schema of
// what it writes.
//
// It rounds nothing, renames nothing and leaves nothing out: the numbers are
// those of the Document, in base units.
package json
