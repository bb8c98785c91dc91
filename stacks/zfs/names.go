package zfs

import (
	"strings"

	"assay/internal/lazyregexp"
)

// component matches one part of a name between slashes: names end up on command
// lines, where a leading dash would make an option. ZFS also allows blanks, which
// these parsers and udev's links do not.
var component = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.:-]*$`)

// longest is the maximum length of a dataset's name in bytes
// (ZFS_MAX_DATASET_NAME_LEN).
const longest = 255

// ValidDataset reports whether name is a valid pool or dataset name.
func ValidDataset(name string) bool {
	if len(name) > longest {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if !component.MatchString(part) {
			return false
		}
	}
	return true
}

// PoolOf returns the pool of a dataset.
func PoolOf(dataset string) string {
	pool, _, _ := strings.Cut(dataset, "/")
	return pool
}
