// Package quantity prints values with their units, for people.
package quantity

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"assay"
)

// Rate prints a link's rate as it is sold: 2.5 Gb/s.
func Rate(bits float64) string {
	if bits >= 1e9 {
		return Plain(bits/1e9) + " Gb/s"
	}
	return Plain(bits/1e6) + " Mb/s"
}

// Plain prints a number without needless digits: 8, 2.5.
func Plain(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

// Of prints a value of a metric with three significant digits, a decimal
// prefix and its unit: "58.9k IOPS", "1.23 GB/s", "412 µs", "44 °C", "96 %".
func Of(metric string, v float64) string {
	m, _ := assay.Describe(metric)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "unknown"
	case metric == "smart.passed":
		return map[bool]string{true: "passed", false: "FAILED"}[v == 1]
	case metric == "smart.available_spare" || metric == "smart.percentage_used": // whole
		return strconv.FormatFloat(100*v, 'f', 0, 64) + " %"
	case metric == "smart.power_on_hours":
		return Grouped(v/3600) + " h"
	case inBits(metric, m.Unit):
		return prefixed(8*v, " ") + "bit/s"
	case isShare(metric):
		return Three(100*v) + " %"
	case metric == "net.path_mtu": // whole, as interfaces are set
		return strconv.FormatFloat(v, 'f', -1, 64) + " B"
	case strings.HasSuffix(metric, ".iops"):
		return prefixed(v, "") + " IOPS"
	case strings.HasSuffix(metric, ".events_per_second"):
		return prefixed(v, "") + " events/s"
	}
	return Amount(v, m.Unit)
}

// Axis returns the unit in which a metric is drawn, as Of prints it, and how many of
// that one of its base unit is.
func Axis(metric string, u assay.Unit) (unit string, times float64) {
	switch {
	case inBits(metric, u):
		return "bit/s", 8
	case isShare(metric):
		return "%", 100
	}
	return string(u), 1
}

// inBits reports whether a rate is in bits, as is usual for networks.
func inBits(metric string, u assay.Unit) bool {
	return strings.HasPrefix(metric, "net.") && u == assay.BytesPerSecond
}

// isShare reports whether a metric is a share, which is printed in percent.
func isShare(metric string) bool {
	switch metric {
	case "net.udp.loss", "net.rtt.loss", "net.rtt.duplicates", "smart.available_spare", "smart.percentage_used":
		return true
	}
	return false
}

// Amount prints a value in a base unit with a decimal prefix.
func Amount(v float64, u assay.Unit) string {
	switch u {
	case assay.Seconds:
		return Duration(v)
	case assay.Celsius:
		return strconv.FormatFloat(v, 'f', 1, 64) + " °C"
	case assay.One, "":
		return Grouped(v)
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
	return Three(v) + " " + []string{"", "KiB", "MiB", "GiB", "TiB", "PiB"}[i]
}

// Duration prints seconds with the prefix that suits them: 412 µs, 5.00 s, 4.67 min.
func Duration(v float64) string {
	a := math.Abs(v)
	switch {
	case a == 0:
		return "0 s"
	case a < 1e-6:
		return Three(v*1e9) + " ns"
	case a < 1e-3:
		return Three(v*1e6) + " µs"
	case a < 1:
		return Three(v*1e3) + " ms"
	case a < 120:
		return Three(v) + " s"
	case a < 2*3600:
		return Three(v/60) + " min"
	default:
		return Three(v/3600) + " h"
	}
}

// Span prints a duration in flag syntax, without zeros: 15m, 1m30s, 250ms.
func Span(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// DurationTwo prints a duration with only two meaningful digits.
func DurationTwo(v float64) string {
	if v >= .95 && v < 120 {
		return Two(v) + " s"
	}
	return Duration(v)
}

func prefixed(v float64, gap string) string {
	a := math.Abs(v)
	for _, p := range []struct {
		least float64
		sign  string
	}{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		// 999.6 k would print as 1000 k: it is 1 M.
		if a >= p.least*.9995 {
			return Three(v/p.least) + gap + p.sign
		}
	}
	return Three(v) + gap
}

// Three prints three significant digits and never an exponent.
func Three(v float64) string { return digits(v, 3) }

// Two prints two significant digits.
func Two(v float64) string { return digits(v, 2) }

func digits(v float64, n int) string {
	if v == 0 {
		return "0"
	}
	// Round first: .9996 is 1.00, not 1.000.
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', n-1, 64), 64)
	decimals := n - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	decimals = min(max(decimals, 0), 6)
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// Grouped prints a number in full with digit groups: 42,270.
func Grouped(v float64) string {
	if v != math.Trunc(v) || math.Abs(v) >= 1e15 {
		return Three(v)
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

// Short prints a value with its prefix but without its unit, and the unit:
// "20.0k" and "IOPS", "9.41 G" and "bit/s". A value without a separable unit,
// such as a duration, stays whole.
func Short(metric string, v float64) (number, unit string) {
	whole := Of(metric, v)
	for _, u := range []string{" IOPS", " events/s", "bit/s", "B/s", " °C", " /s"} {
		if cut, found := strings.CutSuffix(whole, u); found {
			return strings.TrimSpace(cut), strings.TrimSpace(u)
		}
	}
	return whole, ""
}

// Heading names a row's figure with its unit: "IOPS", "bandwidth in B/s".
func Heading(label, metric string) string {
	_, unit := Short(metric, 1)
	switch {
	case unit == "":
		return label
	case label == "" || strings.HasPrefix(unit, label): // IOPS, events in events/s
		return unit
	}
	return fmt.Sprintf("%s in %s", label, unit)
}

// Size prints a size without trailing zeros: "1 MiB".
func Size(n int64) string { return strings.Replace(Bytes(n), ".00 ", " ", 1) }
