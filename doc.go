// Package assay holds the project's nouns and its three interfaces.
//
// A Place runs commands, a Volume lends scratch space, a Probe measures it.
// Everything else in the repository turns these into a pipeline:
//
//	inventory -> plan -> run -> store -> audit -> report
//
// This package does no I/O, starts no process and has hardly any behaviour:
// every other package may import it, and it imports none of them.
package assay
