// Package survey asks all hosts of a cluster what they are, at the same time.
//
// Each is asked for its facts (package inventory) and, with ask.sh, for what an
// inventory of one machine does not need: which address is on which interface,
// so that the network that carries it can be told, and what is mounted. A host
// that does not answer is an answer with its reason; the others stand.
//
// It only reads, and it knows no place: the caller says how a host is reached.
package survey
