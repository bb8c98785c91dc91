package userfacts

import (
	"math"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/bytesize"
	"assay/limits"
)

const aPCIe = "genNxLANES such as gen3x4"

// scaled parses a number above zero with one of the units after it.
func scaled(s string, units map[string]float64) (float64, bool) {
	s = strings.TrimSpace(s)
	digits := len(s)
	for digits > 0 && (s[digits-1] < '0' || s[digits-1] > '9') {
		digits--
	}
	scale, known := units[strings.TrimSpace(s[digits:])]
	v, ok := number(s[:digits])
	v *= scale
	return v, known && ok && v > 0 && !math.IsInf(v, 0)
}

// number reads digits with at most one point: no sign, no exponent.
func number(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0)
}

// size parses bytes. 16G alone could be either kind of G, so it is refused.
func size(s string) (int64, bool) {
	v, ok := bytesize.Exact(s)
	return int64(math.Round(v)), ok && v >= 1 && v < 1<<60
}

// rate parses bytes per second.
func rate(s string) (float64, bool) {
	size, found := strings.CutSuffix(strings.TrimSpace(s), "B/s")
	v, ok := bytesize.Exact(size + "B")
	return v, found && ok && v > 0
}

var bitUnits = map[string]float64{
	"m": 1e6, "g": 1e9, "t": 1e12, "mb": 1e6, "gb": 1e9, "tb": 1e12, "mbit": 1e6, "gbit": 1e9, "gbe": 1e9,
}

// bits parses the speed of a network interface: 10G, 2.5G, 1000M, 10Gb/s,
// 25GbE. GB/s would be bytes.
func bits(s string) (float64, bool) {
	if s = strings.TrimSpace(s); strings.Contains(s, "B") {
		return 0, false
	}
	s = strings.ToLower(s)
	s = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(s, "/s"), "ps"), "e")
	v, ok := scaled(s, bitUnits)
	return v, ok && v >= 1e6 && v <= 10e12
}

// duration reads a time in seconds; it must have a unit.
func duration(s string) (float64, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	d, err := time.ParseDuration(s)
	return d.Seconds(), err == nil && d > 0
}

// count reads a whole number above zero.
func count(s string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && n > 0 && n <= math.MaxInt32 && s[0] != '+'
}

func truth(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "yes", "true", "on", "1":
		return true, true
	case "no", "false", "off", "0":
		return false, true
	}
	return false, false
}

func pointer(s string) *bool {
	if v, ok := truth(s); ok {
		return &v
	}
	return nil
}

// generations maps PCIe generations to GT/s per lane.
var generations = map[string]float64{"1": 2.5, "2": 5, "3": 8, "4": 16, "5": 32, "6": 64}

// pcie reads gen3x4, Gen3 x4, 3.0x4 and 8GT/sx4.
func pcie(s string) *assay.Link {
	s = strings.ReplaceAll(strings.ToLower(s), " ", "")
	speed, lanes, ok := strings.Cut(s, "x")
	n, isNumber := count(lanes)
	if !ok || lanes == "" || !isNumber || n > 32 {
		return nil
	}
	if gts, isRate := strings.CutSuffix(speed, "gt/s"); isRate {
		v, _ := number(gts)
		return limits.PCIe(v, n)
	}
	speed = strings.TrimSuffix(strings.TrimPrefix(speed, "gen"), ".0")
	return limits.PCIe(generations[speed], n)
}

func sata(s string) *assay.Link {
	switch v, _ := bits(s); v {
	case 1.5e9, 3e9, 6e9:
		return limits.Serial("sata", v/1e9)
	}
	return nil
}

// usb parses a version or a speed. Version 3 alone is the 5 Gb/s of 3.0:
// anything faster says so.
func usb(s string) *assay.Link {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "2", "2.0":
		return limits.USB(480)
	case "3", "3.0":
		return limits.USB(5000)
	}
	v, ok := bits(s)
	if !ok {
		return nil
	}
	return limits.USB(int(v / 1e6))
}

// card parses the mode of a card's bus. "hs" is high speed for both SD and
// eMMC.
func card(kind string) func(string) *assay.Link {
	return func(s string) *assay.Link {
		if s = strings.ToUpper(strings.TrimSpace(s)); s == "HS" {
			s = "high speed"
		}
		return limits.Card(kind, s)
	}
}

// isWord reports whether a value is one word, as a file system's name is.
func isWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789._-+") == ""
}
