// Package rbd reads what rbd bench prints about an image in a Ceph cluster.
//
// It never runs rbd, and never calls a discard or a write of zeroes a write of
// data.
package rbd
