package zfs

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

// ARC is the read cache, as reported in /proc/spl/kstat/zfs/arcstats.
type ARC struct {
	Size  int64 // B
	Least int64 // B, minimum size
	Limit int64 // B, maximum size
}

// Reclaimable returns how many bytes the ARC gives back when programs need memory. Linux
// doesn't count them as available.
func (a ARC) Reclaimable() int64 { return max(0, a.Size-a.Least) }

// ReadARC parses arcstats: two heading lines, then name, type and value.
func ReadARC(text []byte) (ARC, error) {
	values := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) != 3 {
			continue
		}
		if n, err := strconv.ParseInt(words[2], 10, 64); err == nil && n >= 0 {
			values[words[0]] = n
		}
	}
	var a ARC
	for _, v := range []struct {
		name string
		into *int64
	}{{"size", &a.Size}, {"c_min", &a.Least}, {"c_max", &a.Limit}} {
		n, known := values[v.name]
		if !known {
			return ARC{}, fmt.Errorf("arcstats: %w: no %s", assay.ErrNoOutput, v.name)
		}
		*v.into = n
	}
	return a, nil
}
