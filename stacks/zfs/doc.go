// Package zfs is what the parts that deal with ZFS share: running its tools on a host,
// checking which names are safe on their command lines, parsing their output, and
// finding what is odd about a pool.
//
// Nothing here changes a pool. The parsers are pure and total: what a version does not
// print is absent, and impossible values are errors.
package zfs
