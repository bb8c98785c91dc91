// Package ceph learns from Ceph's own words what a cluster is made of: its
// health, its drives and nodes, and how many copies it keeps.
//
// It never runs ceph, and never guesses which pool a benchmark used: where pools
// keep different numbers of copies, how many it is stays unknown.
package ceph
