package quantity

import (
	"math"
	"strconv"
	"strings"
)

// Full prints a number in full with groups of three: 8,031 and 42.7.
func Full(v float64, decimals int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) >= 1e18 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	s := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, rest, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	if v < 0 {
		whole = "-" + whole
	}
	return whole
}

// Figure prints about three digits, and all digits before the point.
func Figure(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100 || a == 0:
		return Full(v, 0)
	case a >= 10:
		return Full(v, 1)
	case a >= 1:
		return Full(v, 2)
	default:
		return Full(v, 3)
	}
}

// Megabytes prints B/s in decimal MB/s.
func Megabytes(v float64) string { return Figure(v/1e6) + " MB/s" }

// Memory prints bytes with binary prefixes, as usual for memory.
func Memory(v float64) string {
	switch {
	case math.Abs(v) >= 1<<30:
		return Figure(v/(1<<30)) + " GiB"
	case math.Abs(v) >= 1<<20:
		return Figure(v/(1<<20)) + " MiB"
	}
	return Figure(v/(1<<10)) + " KiB"
}

// Time prints a time with a suitable prefix and the digits of a calculation.
func Time(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1 || a == 0:
		return Figure(v) + " s"
	case a >= 1e-3:
		return Figure(v*1e3) + " ms"
	default:
		return Figure(v*1e6) + " µs"
	}
}
