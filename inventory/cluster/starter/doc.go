// Package starter writes the cluster.yaml that somebody begins with: the hosts
// that were named, the networks that their addresses say they share, and, as
// comments, what of them could be measured.
//
// What hosts say of themselves stands in comments only, cleaned of control
// characters, or is held to the patterns of package cluster: whatever a host
// calls its drives, the file can be read.
package starter
