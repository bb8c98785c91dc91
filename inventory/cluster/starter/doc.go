// Package starter writes an initial cluster.yaml: the hosts named, the networks
// that their addresses show they share, and, as comments, what could be
// measured on them.
//
// What hosts report is written only to comments, cleaned of control characters,
// or is checked against the patterns of package cluster: whatever a host calls
// its drives, the file can be read.
package starter
