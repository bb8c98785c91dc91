// Package drbd learns how a DRBD resource is replicated (copies, peers, state,
// protocol) from drbdsetup status --json, drbdadm status, and /proc/drbd.
//
// Only participating peers count as copies: no write waits for a disconnected
// peer. Of several resources it reports the least replicated one, since nothing
// says which of them a figure is about. The protocol is known only from
// /proc/drbd of DRBD 8: the status of DRBD 9 does not print it.
package drbd
