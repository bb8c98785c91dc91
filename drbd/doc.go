// Package drbd reads how a DRBD resource is set up, from drbdsetup show, and says what is
// odd about it. Nothing here changes a resource. What it is doing now is read by
// ingest/facts/drbd.
package drbd
