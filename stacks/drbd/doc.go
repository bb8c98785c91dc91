// Package drbd queries the tools of DRBD, versions 8.4 and 9, reads how a resource is set
// up and what it is doing, and notes what is odd about it. Nothing here changes a
// resource. State that a report has as facts is read by ingest/facts/drbd.
package drbd
