// Package ceph learns from Ceph's own output what a cluster is made of: its
// health, its drives and nodes, and how many copies it keeps.
//
// It never runs ceph, and never guesses which pool a benchmark used: if pools
// keep different numbers of copies, the number stays unknown.
package ceph
