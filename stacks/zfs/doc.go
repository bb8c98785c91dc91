// Package zfs is what the parts that deal with ZFS have in common: how its tools are
// asked on a host, which names are safe to put into their command lines, readers of
// what they print, and what is odd about a pool.
//
// Nothing here changes a pool. The readers are pure and total: what a version does not
// print is absent, and what cannot be is an error.
package zfs
