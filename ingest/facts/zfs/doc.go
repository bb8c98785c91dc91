// Package zfs learns the properties of ZFS datasets and pools from what zfs get
// and zpool get print. Values stay as they were printed: 128K, lz4, on.
//
// It never guesses a property that was not printed: a default that is not in
// the output is not known.
package zfs
