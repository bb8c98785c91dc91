// Package rados reads what rados bench prints about a pool of a Ceph cluster:
// the text for people, the JSON of --format, and published tables of its summary
// with one column for each number of clients.
//
// It never runs rados, and never takes its MB for a million bytes: rados bench
// divides by 1024 x 1024.
package rados
