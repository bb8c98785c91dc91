// Package drbd asks the tools of DRBD, versions 8.4 and 9, reads how a resource is set up
// and what it is doing, and says what is odd about it. Nothing here changes a resource.
// What of its state a report has as facts is read by ingest/facts/drbd.
package drbd
