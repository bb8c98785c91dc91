package assay

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Chosen are the settings that assay may choose by itself, from memory, free space and
// the time available: near ones count as alike.
var Chosen = []string{"objects", "size", "space", "store_memory"}

// How far what assay chooses by itself may differ and still count as alike, as shares
// of the greater. A figure that does not change with time does not depend on the length
// of its repeats; that is trusted up to twice the length.
const (
	NearSize   = .10
	NearLength = .5
)

// AlikeSetting reports whether two values of a setting mean the same. Tools format
// sizes in several ways.
func AlikeSetting(name, a, b string) bool {
	if a == b {
		return true
	}
	share := 0.
	switch {
	case slices.Contains(Chosen, name):
		share = NearSize
	case name != "bs" && name != "block":
		return strings.EqualFold(a, b)
	}
	x, okX := amount(a)
	y, okY := amount(b)
	return okX && okY && Near(x, y, share)
}

// Near reports whether two numbers differ by at most a share of the greater.
func Near(x, y, share float64) bool { return math.Abs(x-y) <= share*max(x, y) }

// amount parses a number, or a size in bytes.
func amount(word string) (float64, bool) {
	if v, err := strconv.ParseFloat(word, 64); err == nil {
		return v, v >= 0
	}
	n, ok := ParseSize(word)
	return float64(n), ok
}
