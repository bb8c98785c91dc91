package fio

import (
	"math"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// quantity is a figure as fio prints it for people: 20.0k, 552KiB/s.
type quantity struct {
	v        float64 // in base units
	digits   int     // that were printed
	decimals int     // of them, behind the point
	fraction float64 // what those make, 0 to 1
	factor   float64 // of the unit
	rounding float64 // how far the true value may be, in base units
	unit     string  // what stood after the digits
}

// readQuantity reads digits with at most one point, and gives what stands after
// them as the unit, which scale turns into a factor; ok is false where there are
// no digits, or scale knows no such unit.
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

// decimal returns where the digits at the beginning of a text end, and how many stand
// behind their point; ok is false where there are none, too many, or a point without any.
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

// countScale knows the prefixes of counts and of latencies: powers of 1000.
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

// byteScale knows the units of bytes, with or without "/s" after them. KiB and
// kB say what they are. KB, MB and GB of version 2 (old) are powers of kilo,
// 1024 unless kb_base was set; afterwards they are powers of 1000. fio's sum
// over its clients has lost its B.
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

// kilo is what K means in sizes that fio of version 2 printed.
func (o options) kilo() float64 {
	if o["kb_base"] == "1000" {
		return 1000
	}
	return 1024
}

// number is the figure as it was printed on a line.
func (q quantity) number(line int) number {
	return number{v: q.v, set: true, line: line, rounding: q.rounding}
}

// count reads a count such as 171k. One without a prefix was rounded down. What
// is none is absent.
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

// plain reads digits alone.
func plain(text string, line int) (number, bool) {
	text = strings.TrimSpace(text)
	end, _, ok := decimal(text)
	if !ok || end < len(text) {
		return number{}, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return number{v: v, set: true, line: line}, err == nil
}

// field returns the value after a key such as "avg=", without blanks, and what
// follows it; ok is false where the key is not there. A value ends at one of
// the bytes in ends; where none follows, ended is false.
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

// withoutThousands returns a line without the separators that people put into
// long numbers before they publish it: behind fio's own commas stands a blank.
func withoutThousands(text string) string {
	if !commaInNumber(text) {
		return text
	}
	for thousands.MatchString(text) {
		text = thousands.ReplaceAllString(text, "$1$2$3")
	}
	return text
}

// commaInNumber reports whether a digit follows upon a comma.
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

// latencyUnit is a unit of time that fio prints, in ns.
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
