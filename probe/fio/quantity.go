package fio

import (
	"math"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// quantity is a figure in fio's human-readable form: 20.0k, 552KiB/s.
type quantity struct {
	v        float64 // in base units
	digits   int     // that were printed
	decimals int     // of them, after the point
	fraction float64 // their value, 0 to 1
	factor   float64 // of the unit
	rounding float64 // maximum rounding error, in base units
	unit     string  // text after the digits
}

// readQuantity reads digits with at most one point. The text after them is the
// unit, which scale turns into a factor; ok is false if there are no digits or
// the unit is unknown.
func readQuantity(text string, scale func(unit string) (float64, bool)) (q quantity, ok bool) {
	text = strings.TrimSpace(text)
	end, decimals, ok := decimal(text)
	if !ok {
		return q, false
	}
	if q.digits = end; decimals > 0 {
		q.digits-- // the point
	}
	v, err := strconv.ParseFloat(text[:end], 64)
	q.unit = strings.TrimSpace(text[end:])
	factor, known := scale(q.unit)
	if err != nil || !known {
		return q, false
	}
	q.v, q.decimals, q.factor = v*factor, decimals, factor
	_, q.fraction = math.Modf(v)
	q.rounding = factor / 2 / math.Pow10(decimals)
	return q, true
}

// decimal returns where the digits at the start of a text end, and how many follow the
// point; ok is false if there are none, too many, or none after a point.
func decimal(text string) (end, decimals int, ok bool) {
	digits, point := 0, false
	for ; end < len(text); end++ {
		c := text[end]
		if c == '.' && !point && end > 0 {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		if point {
			decimals++
		}
		digits++
	}
	return end, decimals, digits > 0 && digits <= 20 && (!point || decimals > 0)
}

// countScale returns the factor of a count's or latency's prefix: a power of
// 1000.
func countScale(unit string) (float64, bool) {
	switch unit {
	case "":
		return 1, true
	case "k", "K":
		return 1e3, true
	case "M":
		return 1e6, true
	case "G":
		return 1e9, true
	case "T":
		return 1e12, true
	}
	return 0, false
}

// byteScale returns a scale for units of bytes, with or without "/s" after
// them. KiB and kB are unambiguous. KB, MB and GB of version 2 (old) are powers
// of kilo, 1024 unless kb_base was set; in later versions they are powers of
// 1000. fio's sum over its clients lacks the B.
func byteScale(old bool, kilo float64) func(unit string) (float64, bool) {
	return func(unit string) (float64, bool) {
		unit = strings.TrimSuffix(unit, "/s")
		factor := 1.0
		rest, bits := strings.CutSuffix(unit, "bit")
		if bits {
			factor = 1. / 8
		} else {
			rest = strings.TrimSuffix(unit, "B")
		}
		if rest == "" {
			return factor, true
		}
		base := 1000.0
		prefix, binary := strings.CutSuffix(rest, "i")
		switch {
		case binary:
			base = 1024
		case old && prefix != "k":
			base = kilo
		}
		power := strings.Index("kKMGTP", prefix)
		if len(prefix) != 1 || power < 0 {
			return 0, false
		}
		return factor * math.Pow(base, float64(max(power, 1))), true
	}
}

// kilo returns the value of K in sizes printed by fio version 2.
func (o options) kilo() float64 {
	if o["kb_base"] == "1000" {
		return 1000
	}
	return 1024
}

// number returns the figure as printed on a line.
func (q quantity) number(line int) number {
	return number{v: q.v, set: true, line: line, rounding: q.rounding}
}

// count reads a count such as 171k. One without a prefix was rounded down.
// Anything else is absent.
func count(text string, line int) number {
	q, ok := readQuantity(text, countScale)
	if !ok {
		return number{}
	}
	if q.unit == "" {
		q.rounding = 1
	}
	return q.number(line)
}

// plain reads digits only.
func plain(text string, line int) (number, bool) {
	text = strings.TrimSpace(text)
	end, _, ok := decimal(text)
	if !ok || end < len(text) {
		return number{}, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return number{v: v, set: true, line: line}, err == nil
}

// field returns the value after a key such as "avg=", without blanks, and the
// text after it; ok is false if the key is missing. A value ends at one of the
// bytes in ends; if there is none, ended is false.
func field(text, key, ends string) (value, rest string, ended, ok bool) {
	i := strings.Index(text, key)
	if i < 0 {
		return "", "", false, false
	}
	value = text[i+len(key):]
	if end := strings.IndexAny(value, ends); end >= 0 {
		return strings.TrimSpace(value[:end]), value[end:], true, true
	}
	return strings.TrimSpace(value), "", false, true
}

var thousands = lazyregexp.New(`(\d),(\d{3})(\D|$)`)

// withoutThousands removes the thousands separators that people add to a line
// before publishing it: fio's own commas are followed by a blank.
func withoutThousands(text string) string {
	if !commaInNumber(text) {
		return text
	}
	for thousands.MatchString(text) {
		text = thousands.ReplaceAllString(text, "$1$2$3")
	}
	return text
}

// commaInNumber reports whether a comma is followed by a digit.
func commaInNumber(text string) bool {
	for {
		at := strings.IndexByte(text, ',')
		if at < 0 || at+1 == len(text) {
			return false
		}
		if text = text[at+1:]; text[0] >= '0' && text[0] <= '9' {
			return true
		}
	}
}

// latencyUnit returns a time unit of fio's in ns.
func latencyUnit(unit string) (float64, bool) {
	switch unit {
	case "nsec":
		return 1, true
	case "usec":
		return 1e3, true
	case "msec":
		return 1e6, true
	case "sec":
		return 1e9, true
	}
	return 0, false
}
