package zfs

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

// ReadAshift returns the smallest sector size of the vdevs, as a power of two. It
// parses zdb -C POOL, where only top-level vdevs count, and, from 2.2 on, zpool get
// -H -o name,value ashift POOL all-vdevs, which may show the devices of a raidz or
// mirror with a value of their own that is not used.
func ReadAshift(text []byte) (int, error) {
	var tops, devices []int
	inTop := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if name, value, is := strings.Cut(line, "\t"); is {
			if n, err := strconv.Atoi(value); err == nil && plausible(n) {
				if grouped.MatchString(name) {
					tops = append(tops, n)
				} else {
					devices = append(devices, n)
				}
			}
			continue
		}
		words := strings.Fields(line)
		switch {
		case len(words) == 1 && strings.HasPrefix(words[0], "children["):
			inTop = true
		case len(words) == 2 && words[0] == "ashift:" && inTop:
			if n, err := strconv.Atoi(words[1]); err == nil && plausible(n) {
				tops = append(tops, n)
			}
		}
	}
	if len(tops) == 0 {
		tops = devices
	}
	if len(tops) == 0 {
		return 0, fmt.Errorf("ashift: %w", assay.ErrNoOutput)
	}
	least := tops[0]
	for _, n := range tops {
		least = min(least, n)
	}
	return least, nil
}

// plausible reports whether ashift is in the range of ZFS: 512 B to 64 KiB.
func plausible(ashift int) bool { return ashift >= 9 && ashift <= 16 }
