// Package linstor learns how LINSTOR places its volumes from linstor node list,
// resource list and volume list: as tables, and as the JSON of every version of
// linstor -m.
//
// LINSTOR replicates with DRBD: resources placed without it are left out. Of
// several resources it reports the one with the fewest copies. Which node a
// client is on is known only if a resource is in use. The protocol is not
// printed, and not guessed.
package linstor
