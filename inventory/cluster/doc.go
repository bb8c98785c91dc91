// Package cluster reads cluster.yaml: which hosts there are, how each is
// reached, which networks join them, what of them is measured, and what they
// share.
//
// The least of it is
//
//	hosts:
//	  pve1: 10.0.0.1
//	  pve2: 10.0.0.2
//
// and testdata/valid/full.yaml shows all of it. The reader is strict: what it
// does not know, and what cannot be true together, is an error that says where
// it stands. Every word that will reach a command line is held to a pattern
// here, so that no later stage meets a host named "-oProxyCommand=x". Schema
// says the same to editors, as far as a JSON Schema can.
//
// The package reaches no host, opens no file and knows no place.
package cluster
