// Package ceph is what the parts that deal with Ceph have in common: how its monitors
// are asked on a host, with which key, which capabilities a key needs, and readers of
// what they answer as JSON, from Ceph 14 on.
//
// Nothing here changes a cluster. The readers are pure and total: what a release does
// not tell is absent, and what cannot be is an error.
package ceph
