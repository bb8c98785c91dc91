package zfs

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

// ReadAshift returns the smallest sector size of the vdevs that hold data, as a power of
// two, from zdb -C POOL. Only top-level vdevs count, and no log devices (SLOG): they may
// have sectors of their own.
func ReadAshift(text []byte) (int, error) {
	least, last := 0, 0 // last is that of the vdev whose lines are being read
	inTop := false
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 1 && strings.HasPrefix(words[0], "children["):
			least, last, inTop = smaller(least, last), 0, true
		case len(words) != 2 || !inTop:
		case words[0] == "ashift:":
			last = number(words[1])
		case words[0] == "is_log:" && words[1] == "1":
			last = 0
		}
	}
	return known(smaller(least, last))
}

// ReadVdevAshift returns the same from zpool get -H -o name,value ashift POOL all-vdevs, of
// 2.2 and later. It may show the devices of a raidz or mirror with a value of their own that
// is not used, and does not tell logs and caches from data: the pool's status does, with the
// names that zpool status prints without options.
func ReadVdevAshift(text []byte, s Status) (int, error) {
	least := 0
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		for _, v := range s.Vdevs {
			if v.Class == Data && v.Name == name {
				least = smaller(least, number(value))
			}
		}
	}
	return known(least)
}

func known(ashift int) (int, error) {
	if ashift == 0 {
		return 0, fmt.Errorf("ashift: %w", assay.ErrNoOutput)
	}
	return ashift, nil
}

// smaller returns the smaller of two numbers of which 0 is unknown.
func smaller(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// number returns an ashift; 0 if it is none.
func number(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil || !plausible(n) {
		return 0
	}
	return n
}

// plausible reports whether ashift is in the range of ZFS: 512 B to 64 KiB.
func plausible(ashift int) bool { return ashift >= 9 && ashift <= 16 }
