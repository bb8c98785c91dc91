package dd

import (
	"math"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// factor matches one number of a block size with its suffix, as GNU dd takes
// it; busybox writes kD for kB, and BSD takes lower case.
var factor = lazyregexp.New(`^(\d+)(c|w|b|[kKmMgGtT](?:iB|[BD])?)?$`)

// blockSize returns the block size in fio's notation: 4k, 1m, 1000. An
// unreadable one is returned as written; dd's own default is 512 bytes.
func blockSize(words map[string]string, direction string) string {
	side := "ibs"
	if direction == "write" {
		side = "obs"
	}
	for _, name := range []string{"bs", side} {
		if word := words[name]; word != "" {
			if n := blockBytes(word); n > 0 {
				return blockWord(n)
			}
			return word
		}
	}
	return "512"
}

// blockBytes parses a size such as 1M, 4kB, 2x512; 0 if invalid.
func blockBytes(word string) int64 {
	total := int64(1)
	for part := range strings.SplitSeq(strings.ReplaceAll(word, "*", "x"), "x") {
		m := factor.FindStringSubmatch(part)
		if m == nil {
			return 0
		}
		n, err := strconv.ParseInt(m[1], 10, 64)
		unit := unitOf(m[2])
		if err != nil || n <= 0 || n > math.MaxInt64/unit || n*unit > math.MaxInt64/total {
			return 0
		}
		total *= n * unit
	}
	return total
}

func unitOf(suffix string) int64 {
	switch suffix {
	case "", "c":
		return 1
	case "w":
		return 2
	case "b":
		return 512
	}
	base := int64(1024)
	if strings.HasSuffix(suffix, "D") || strings.HasSuffix(suffix, "B") && !strings.HasSuffix(suffix, "iB") {
		base = 1000
	}
	unit := base
	for range strings.Index("kmgt", strings.ToLower(suffix[:1])) {
		unit *= base
	}
	return unit
}

func blockWord(n int64) string {
	switch {
	case n%mib == 0:
		return strconv.FormatInt(n/mib, 10) + "m"
	case n%1024 == 0:
		return strconv.FormatInt(n/1024, 10) + "k"
	}
	return strconv.FormatInt(n, 10)
}
