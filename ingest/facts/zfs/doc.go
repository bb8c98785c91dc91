// Package zfs learns the properties of ZFS datasets and pools from the output
// of zfs get and zpool get. Values stay as printed: 128K, lz4, on.
//
// It never guesses a property: a default that is not in the output is unknown.
package zfs
