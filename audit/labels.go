package audit

import (
	"math"
	"strconv"
	"strings"

	"assay/internal/bytesize"
)

// parseSize parses a size in bytes as tools print block sizes: 4096, 4k, 4KiB,
// 1M, "4096B-4096B" if both ends agree. Prefixes are powers of 1024.
func parseSize(s string) (int64, bool) {
	s = strings.TrimSpace(s)
	if low, high, isRange := strings.Cut(s, "-"); isRange {
		a, okA := parseSize(low)
		b, okB := parseSize(high)
		return a, okA && okB && a == b
	}
	bytes := bytesize.Whole(bytesize.Binary(s))
	return bytes, bytes > 0
}

// parseAmount parses a number of bytes as people publish it: "10240MiB", "1.5
// TB", "512GB". Unlike for block sizes, prefixes without an i are decimal before
// a B. ok is false unless the value is above zero.
func parseAmount(s string) (bytes float64, ok bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), ",", "")
	digits := strings.TrimRight(s, "bBiIkKmMgGtTpP ")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(v > 0) || v > 1<<60 {
		return 0, false
	}
	unit := strings.ToLower(strings.TrimSpace(s[len(digits):]))
	if unit == "" || unit == "b" {
		return v, true
	}
	power := strings.IndexByte("kmgtp", unit[0]) + 1
	base := 0.0
	switch unit[1:] {
	case "", "ib":
		base = 1024
	case "b":
		base = 1000
	}
	if power == 0 || base == 0 {
		return 0, false
	}
	bytes = v * math.Pow(base, float64(power))
	return bytes, bytes < 1<<62
}

// unitsOfTime maps units of time as people write them to seconds.
var unitsOfTime = map[string]float64{
	"": 1, "s": 1, "sec": 1, "secs": 1, "seconds": 1, "ms": 1e-3, "msec": 1e-3, "us": 1e-6, "µs": 1e-6, "usec": 1e-6, "m": 60, "min": 60, "minutes": 60, "h": 3600,
}

// parseSeconds parses a time as people write it: 30, 30s, "30 s", 5m, 500ms.
func parseSeconds(s string) (seconds float64, ok bool) {
	s = strings.TrimSpace(s)
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyzµ ")
	v, err := strconv.ParseFloat(digits, 64)
	scale, known := unitsOfTime[strings.TrimSpace(s[len(digits):])]
	if err != nil || !known || !(v > 0) || v > 1e9 {
		return 0, false
	}
	return v * scale, true
}

// parseCount parses a whole number above zero.
func parseCount(s string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && n > 0 && n < 1<<30
}

// parseFloat parses a number from a label.
func parseFloat(s string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// isOn parses a switch; known is false if it is neither on nor off.
func isOn(s string) (on, known bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "1", "true", "yes", "on":
		return true, true
	case "0", "false", "no", "off", "none":
		return false, true
	}
	return false, false
}

// flushesEachWrite reports whether the sync label means that every single write
// had to be durable before it counted. dd's fsync and fdatasync flush only once,
// at the end.
func flushesEachWrite(sync string) bool {
	switch strings.ToLower(strings.TrimSpace(sync)) {
	case "1", "true", "sync", "dsync":
		return true
	}
	return false
}

// flushesEach reports how each write of a result was made durable: by the write
// itself (sync), or by a call after it (fsync: fio's write latencies exclude
// it).
func (l look) flushesEach() (sync, fsync bool) {
	sync = flushesEachWrite(l.label("write", "sync"))
	if l.label("write", "tool") == "fio" {
		fsync = l.label("write", "fsync") == "1" || l.label("write", "fdatasync") == "1"
	}
	return sync, fsync
}

// flushesLast reports whether fio flushed buffered writes once, before its clock stopped:
// their rate includes that time, their latencies don't.
func (l look) flushesLast() bool {
	direct, _ := isOn(l.label("write", "direct"))
	if direct || l.label("write", "tool") != "fio" || !l.positive("storage.write.iops") {
		return false
	}
	atEnd, _ := isOn(l.label("write", "end_fsync"))
	onClose, _ := isOn(l.label("write", "fsync_on_close"))
	return atEnd || onClose
}

// isRandom and isSequential test a pattern label; both are false for "" and for mixed,
// whose order is unknown.
func isRandom(pattern string) bool { return strings.HasPrefix(pattern, "rand") }

func isMixed(pattern string) bool {
	switch strings.TrimPrefix(pattern, "rand") {
	case "rw", "readwrite", "mixed":
		return true
	}
	return false
}

func isSequential(pattern string) bool {
	return pattern != "" && pattern != "mixed" && !isRandom(pattern)
}

// option returns the value of --name=value in a command, or "" if absent.
func option(argv []string, name string) string {
	for _, word := range argv {
		if v, ok := strings.CutPrefix(word, "--"+name+"="); ok {
			return v
		}
	}
	return ""
}
