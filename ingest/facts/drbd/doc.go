// Package drbd learns how a DRBD resource is replicated, from drbdsetup status
// --json, drbdadm status, and /proc/drbd: copies, peers, state, protocol.
//
// Only what takes part counts as a copy: a peer that is not connected keeps no
// write waiting. Of several resources the least replicated one is told, for
// which of them a figure is about nobody says. The protocol is known only from
// /proc/drbd of DRBD 8: the status of DRBD 9 does not print it.
package drbd
