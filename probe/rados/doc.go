// Package rados runs rados bench on a pool of a Ceph cluster, and reads what it prints:
// the text for people, the JSON of --format, and published tables of its summary with
// one column for each number of clients.
//
// It writes into the pool that was lent and into no other, under names of its own, and
// removes what it wrote. It never takes rados bench's MB for a million bytes: it divides
// by 1024 x 1024.
package rados
