// Package cluster reads cluster.yaml: which hosts there are, how each is
// reached, which networks connect them, what is measured on them, and what they
// share.
//
// The minimum is
//
//	hosts:
//	  pve1: 10.0.0.1
//	  pve2: 10.0.0.2
//
// and testdata/valid/full.yaml shows everything. The reader is strict: anything
// unknown or contradictory is an error with its position. Every word that will
// reach a command line is checked against a pattern here, so that no later
// stage meets a host named "-oProxyCommand=x". Schema gives editors the same
// rules, as far as a JSON Schema can.
//
// The package reaches no host, opens no file and knows no place.
package cluster
