// Package readers lists every parser of tool output. A new one is a folder
// under probe/ or ingest/facts/ and a line here.
//
// It is separate from probe/all because reading needs nothing that runs a tool:
// it compiles wherever Go does, browsers included.
package readers
