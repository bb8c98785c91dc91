// Package json writes a document for programs: its data in the verb's own terms,
// and beside them the document as blocks.
//
// It rounds nothing, renames nothing and leaves nothing out: numbers are in base
// units.
package json
