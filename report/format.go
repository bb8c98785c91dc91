package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
)

// Quantity prints a value of a metric with three significant digits, a decimal
// prefix and its unit: "58.9k IOPS", "1.23 GB/s", "412 µs", "44 °C", "96 %".
func Quantity(metric string, v float64) string {
	m, _ := assay.Describe(metric)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "unknown"
	case metric == "smart.passed":
		return map[bool]string{true: "passed", false: "FAILED"}[v == 1]
	case metric == "smart.available_spare" || metric == "smart.percentage_used":
		return strconv.FormatFloat(100*v, 'f', 0, 64) + " %"
	case metric == "smart.power_on_hours":
		return group(v/3600) + " h"
	case strings.HasPrefix(metric, "net.") && m.Unit == assay.BytesPerSecond:
		return prefixed(8*v, " ") + "bit/s" // as networks are spoken of
	case metric == "net.udp.loss" || metric == "net.rtt.loss":
		return significant(100*v) + " %"
	case metric == "net.path_mtu": // whole, as interfaces are set
		return strconv.FormatFloat(v, 'f', -1, 64) + " B"
	case strings.HasSuffix(metric, ".iops"):
		return prefixed(v, "") + " IOPS"
	case strings.HasSuffix(metric, ".events_per_second"):
		return prefixed(v, "") + " events/s"
	}
	return Amount(v, m.Unit)
}

// Amount prints a value in a base unit with a decimal prefix.
func Amount(v float64, u assay.Unit) string {
	switch u {
	case assay.Seconds:
		return duration(v)
	case assay.Celsius:
		return strconv.FormatFloat(v, 'f', 1, 64) + " °C"
	case assay.One, "":
		return group(v)
	case assay.PerSecond:
		return prefixed(v, "") + " /s"
	default:
		return prefixed(v, " ") + string(u)
	}
}

// Bytes prints a size with a binary prefix: "512 MiB".
func Bytes(n int64) string {
	v, i := float64(n), 0
	for v >= 1024 && i < 5 {
		v, i = v/1024, i+1
	}
	if i == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return significant(v) + " " + []string{"", "KiB", "MiB", "GiB", "TiB", "PiB"}[i]
}

// Interval prints where the median lies: "[57.9k, 59.3k]", or "" where one
// repeat is all there is.
func Interval(f Figure) string {
	if f.Level == 0 || f.N < 2 {
		return ""
	}
	return "[" + Quantity(f.Metric, f.Low) + ", " + Quantity(f.Metric, f.High) + "]"
}

// Count prints what a figure rests on: "n=6 × 5 s".
func Count(f Figure) string {
	if f.Seconds == 0 {
		return fmt.Sprintf("n=%d", f.N)
	}
	return fmt.Sprintf("n=%d × %s", f.N, duration(f.Seconds))
}

// Spread prints the half-width of the interval as a share: "± 1.2 %", "" where
// there is no interval.
func Spread(f Figure) string {
	if f.Level == 0 || f.N < 2 || f.Value == 0 {
		return ""
	}
	half := math.Max(f.High-f.Value, f.Value-f.Low) / math.Abs(f.Value)
	if half > 1 {
		return "± > 100 %" // Interval says where from and where to
	}
	return "± " + significantTwo(100*half) + " %"
}

func duration(v float64) string {
	a := math.Abs(v)
	switch {
	case a == 0:
		return "0 s"
	case a < 1e-6:
		return significant(v*1e9) + " ns"
	case a < 1e-3:
		return significant(v*1e6) + " µs"
	case a < 1:
		return significant(v*1e3) + " ms"
	case a < 120:
		return significant(v) + " s"
	case a < 2*3600:
		return significant(v/60) + " min"
	default:
		return significant(v/3600) + " h"
	}
}

// durationTwo prints a duration of which more than two digits mean nothing.
func durationTwo(v float64) string {
	if v >= .95 && v < 120 {
		return significantTwo(v) + " s"
	}
	return duration(v)
}

func prefixed(v float64, gap string) string {
	a := math.Abs(v)
	for _, p := range []struct {
		least float64
		sign  string
	}{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		// 999.6 k would print as 1000 k: it is 1 M.
		if a >= p.least*.9995 {
			return significant(v/p.least) + gap + p.sign
		}
	}
	return significant(v) + gap
}

// significant prints three significant digits and never an exponent.
func significant(v float64) string { return digits(v, 3) }

func significantTwo(v float64) string { return digits(v, 2) }

func digits(v float64, n int) string {
	if v == 0 {
		return "0"
	}
	// Rounding first: .9996 is 1.00, not 1.000.
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', n-1, 64), 64)
	decimals := n - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	decimals = min(max(decimals, 0), 6)
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// group prints a number in full with thin groups: 42,270.
func group(v float64) string {
	if v != math.Trunc(v) || math.Abs(v) >= 1e15 {
		return significant(v)
	}
	s := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if v < 0 {
		return "-" + s
	}
	return s
}
