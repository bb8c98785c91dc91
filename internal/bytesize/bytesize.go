// Package bytesize parses sizes in bytes as tools print them. Tools mean different
// sizes by the same word, so there is one function per convention. A convention of
// one tool alone (dd's b and w, the KiB of fio's options, which are 1,000 B) stays
// with the reader of that tool.
package bytesize

import (
	"math"
	"strconv"
	"strings"
)

// greatest is more than any storage holds.
const greatest = 1 << 60

// Binary parses a size whose prefixes are powers of 1,024 however they are
// written: 4k, 4 kB and 4KiB are the same. ok is false if it is not a size.
func Binary(text string) (bytes float64, ok bool) {
	number, prefix, _, ok := split(strings.ToLower(text))
	return scaled(number, prefix, 1024, ok)
}

// Exact parses each unit literally: kB is 1,000 and KiB 1,024. 16G alone could be
// either, so it is not a size.
func Exact(text string) (bytes float64, ok bool) {
	number, prefix, suffix, ok := split(text)
	base := 1000.
	if strings.HasPrefix(suffix, "i") {
		base = 1024
	}
	return scaled(number, strings.ToLower(prefix), base, ok && (prefix == "" || strings.HasSuffix(suffix, "B")))
}

// Whole returns the size from Binary or Exact if it is a whole number of bytes,
// otherwise 0.
func Whole(bytes float64, ok bool) int64 {
	if !ok || bytes != math.Trunc(bytes) {
		return 0
	}
	return int64(bytes)
}

// split splits "16 KiB" into 16, K and iB.
func split(text string) (number, prefix, suffix string, ok bool) {
	text = strings.TrimSpace(text)
	unit := strings.TrimLeft(text, "0123456789.")
	number, unit = text[:len(text)-len(unit)], strings.TrimSpace(unit)
	if rest := strings.TrimLeft(unit, "kKmMgGtTpP"); len(unit)-len(rest) == 1 {
		prefix, unit = unit[:1], rest
	}
	switch strings.ToLower(unit) {
	case "", "b", "bytes":
		return number, prefix, unit, true
	case "i", "ib":
		return number, prefix, unit, prefix != ""
	}
	return "", "", "", false
}

func scaled(number, prefix string, base float64, ok bool) (float64, bool) {
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !ok {
		return 0, false
	}
	if prefix != "" {
		v *= math.Pow(base, float64(strings.Index("kmgtp", prefix)+1))
	}
	return v, v <= greatest
}
