package zfs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// settings are the properties that can be set on lent space.
var settings = []string{"sync", "recordsize", "volblocksize", "compression", "logbias", "primarycache"}

// knownTo returns those that a zvol, or a file system, has.
func knownTo(zvol bool) []string {
	other := "volblocksize"
	if zvol {
		other = "recordsize"
	}
	return slices.DeleteFunc(slices.Clone(settings), func(name string) bool { return name == other })
}

var choices = map[string][]string{
	"sync":         {"standard", "always", "disabled"},
	"logbias":      {"latency", "throughput"},
	"primarycache": {"all", "metadata", "none"},
}

var compression = lazyregexp.New(`^[a-z][a-z0-9-]{0,31}$`)

// Size limits of ZFS.
const (
	leastBlock  = 512
	mostVolume  = 128 << 10
	mostRecords = 16 << 20
)

// canonical returns a setting's value as zfs get -p prints it, and rejects invalid
// values.
func canonical(name, value string) (string, error) {
	switch name {
	case "recordsize", "volblocksize":
		most := int64(mostRecords)
		if name == "volblocksize" {
			most = mostVolume
		}
		n, ok := assay.ParseSize(value)
		if !ok || n < leastBlock || n > most || n&(n-1) != 0 {
			return "", fmt.Errorf("%s: %q is not a power of two from %d to %dK", name, value, leastBlock, most>>10)
		}
		return strconv.FormatInt(n, 10), nil
	case "compression":
		if !compression.MatchString(value) {
			return "", fmt.Errorf("compression: %q is not a compression, such as off, lz4 or zstd-3", value)
		}
		return value, nil
	}
	if !slices.Contains(choices[name], value) {
		return "", fmt.Errorf("%s: %q is none of %s", name, value, strings.Join(choices[name], ", "))
	}
	return value, nil
}

// defaultLevels has the compressions at their default level, which ZFS prints without
// it. Any other level is another value.
var defaultLevels = map[string]string{"gzip-6": "gzip", "zstd-3": "zstd", "zstd-fast-1": "zstd-fast"}

// same reports whether two values of a setting are equivalent.
func same(a, b string) bool {
	return cmp.Or(defaultLevels[a], a) == cmp.Or(defaultLevels[b], b)
}
