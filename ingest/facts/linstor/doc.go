// Package linstor learns how LINSTOR places its volumes, from linstor node list,
// resource list and volume list: as tables, and as the JSON of linstor -m, in
// every version of it.
//
// LINSTOR replicates with DRBD: a resource that is placed without it is left
// out. Of several resources the one with the fewest copies is told. Which node
// a client is on is known only where a resource is in use. The protocol is not
// printed, and not guessed.
package linstor
