// Package readers lists every parser of the output of a tool. A new one is a
// folder under probe/ or ingest/facts/ and a line here.
//
// It is a list apart from probe/all because reading needs nothing that runs a
// tool: what reads compiles wherever Go does, a browser included.
package readers
