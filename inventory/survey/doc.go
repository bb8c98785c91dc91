// Package survey queries all hosts of a cluster concurrently about what they
// are.
//
// Each is queried for its facts (package inventory) and, with ask.sh, for what
// an inventory of one machine does not need: which address is on which
// interface, to find the network that carries it, and what is mounted. A host
// that does not answer yields an answer with its reason; the others stand.
//
// It only reads, and it knows no place: the caller says how a host is reached.
package survey
