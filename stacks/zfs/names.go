package zfs

import (
	"strings"

	"assay/internal/lazyregexp"
)

// component is what may stand between the slashes of a name: it ends up in command
// lines, where one that begins with a dash would be an option. ZFS allows blanks too,
// which these readers and the links of udev do not.
var component = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.:-]*$`)

// longest is the most bytes of a dataset's name, by ZFS_MAX_DATASET_NAME_LEN.
const longest = 255

// ValidDataset reports whether name may be that of a pool or dataset.
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

// PoolOf is the pool that a dataset is in.
func PoolOf(dataset string) string {
	pool, _, _ := strings.Cut(dataset, "/")
	return pool
}
