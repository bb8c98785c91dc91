package audit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// grouped prints a number in full with groups of three: 8,031 and 42.7.
func grouped(v float64, decimals int) string {
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

// figure prints about three digits, and all of those before the point.
func figure(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100 || a == 0:
		return grouped(v, 0)
	case a >= 10:
		return grouped(v, 1)
	case a >= 1:
		return grouped(v, 2)
	default:
		return grouped(v, 3)
	}
}

// rate prints B/s in decimal MB/s.
func rate(v float64) string { return figure(v/1e6) + " MB/s" }

// volume prints bytes in decimal MB, or GB from ten of them.
func volume(v float64) string {
	if math.Abs(v) >= 1e10 {
		return figure(v/1e9) + " GB"
	}
	return figure(v/1e6) + " MB"
}

// memory prints bytes as people speak of memory: binary.
func memory(v float64) string {
	switch {
	case math.Abs(v) >= 1<<30:
		return figure(v/(1<<30)) + " GiB"
	case math.Abs(v) >= 1<<20:
		return figure(v/(1<<20)) + " MiB"
	}
	return figure(v/(1<<10)) + " KiB"
}

// seconds prints a time with the prefix that suits it.
func seconds(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1 || a == 0:
		return figure(v) + " s"
	case a >= 1e-3:
		return figure(v*1e3) + " ms"
	default:
		return figure(v*1e6) + " µs"
	}
}

func percent(share float64) string { return figure(100*share) + " %" }

func times(ratio float64) string { return figure(ratio) + " x" }

// inRepeats says in how many of the repeats something was seen.
func inRepeats(k, n int) string {
	if n == 1 {
		return "in the only repeat"
	}
	return fmt.Sprintf("in %d of %d repeats", k, n)
}

// plain prints a number without needless digits: 8, 2.5.
func plain(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }
