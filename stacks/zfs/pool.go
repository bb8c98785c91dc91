package zfs

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

// Pool is a row of zpool list.
type Pool struct {
	Name          string
	GUID          string // survives export and import, under any name
	Size          int64  // B, raw: includes parity
	Allocated     int64
	Free          int64
	Fragmentation int // %, of the free space; -1 unknown
	Capacity      int // % used
	Health        string
}

// PoolColumns are the columns that ReadPools parses: zpool list -H -p -o
// PoolColumns.
const PoolColumns = "name,guid,size,allocated,free,fragmentation,capacity,health"

// ReadPools parses zpool list -H -p -o PoolColumns.
func ReadPools(text []byte) ([]Pool, error) {
	var all []Pool
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != strings.Count(PoolColumns, ",")+1 {
			return nil, fmt.Errorf("zpool list: %d columns in %q, not those of %s", len(f), line, PoolColumns)
		}
		p := Pool{Name: f[0], GUID: f[1], Health: f[7]}
		if _, err := strconv.ParseUint(p.GUID, 10, 64); err != nil || p.Name == "" || p.Health == "" {
			return nil, fmt.Errorf("zpool list: %q has no name, guid and health", line)
		}
		// A pool that cannot be opened has no numbers.
		var oks [5]bool
		p.Size, oks[0] = whole(f[2])
		p.Allocated, oks[1] = whole(f[3])
		p.Free, oks[2] = whole(f[4])
		fragmentation, known := whole(f[5])
		if !known || fragmentation > 100 {
			fragmentation = -1
		}
		p.Fragmentation, oks[3] = int(fragmentation), known || f[5] == "-"
		capacity, ok := whole(f[6])
		p.Capacity, oks[4] = int(min(capacity, 100)), ok
		for i, ok := range oks {
			if !ok && p.Health != "UNAVAIL" && p.Health != "FAULTED" {
				return nil, fmt.Errorf("zpool list: pool %s: %q is not a number", p.Name, f[2+i])
			}
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("zpool list: %w", assay.ErrNoOutput)
	}
	return all, nil
}

// whole parses a number as printed with -p; older versions leave a percentage's
// %.
func whole(word string) (int64, bool) {
	n, err := strconv.ParseInt(strings.TrimSuffix(word, "%"), 10, 64)
	return max(n, 0), err == nil && n >= 0
}
