// Package assay holds the nouns of the project and its three interfaces.
//
// A Place runs commands, a Volume lends scratch space, a Probe measures it.
// Everything else in the repository turns these into a pipeline:
//
//	inventory -> plan -> run -> store -> audit -> report
//
// This package does no I/O, starts no process and holds hardly any behaviour:
// it is what every other package may import, and it imports none of them.
package assay
