package assay

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// KeepFree returns how many bytes of a file system of the given size always stay
// free: 10 %, but at most 2 GiB.
func KeepFree(size int64) int64 { return min(size/10, 2<<30) }

// sizeWord matches a size as tools accept it: 4096, 4k, 1M, 64KiB.
var sizeWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i)(\d{1,15})([kmgt]?)(?:i?b)?$`)
})

// ParseSize parses a size in bytes, greater than 0; its prefixes are binary.
func ParseSize(word string) (int64, bool) {
	parts := sizeWord().FindStringSubmatch(word)
	if parts == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(parts[1], 10, 64)
	shift := 0
	if parts[2] != "" {
		shift = 10 * (strings.Index("kmgt", strings.ToLower(parts[2])) + 1)
	}
	if err != nil || n <= 0 || n > (1<<62)>>shift {
		return 0, false
	}
	return n << shift, true
}
