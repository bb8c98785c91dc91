// Package rados runs rados bench on a pool of a Ceph cluster, and reads what it prints:
// the human-readable text, the JSON of --format, and published tables of its summary
// with one column for each number of clients.
//
// It writes only into the lent pool, under names of its own, and removes what it wrote.
// It never reads rados bench's MB as a million bytes: the tool divides by 1024 x 1024.
package rados
