package warp

import (
	"math"
	"strconv"
	"time"
)

// binary are the units of warp's speeds: also its MB are 2^20 bytes, as its
// bytes and objects a second show.
var binary = map[string]float64{
	"B": 1, "KB": 1 << 10, "KiB": 1 << 10, "MB": 1 << 20, "MiB": 1 << 20, "GB": 1 << 30, "GiB": 1 << 30, "TB": 1 << 40, "TiB": 1 << 40,
}

func speed(number, unit string, line int) figure {
	if number == "" {
		return figure{}
	}
	f := numbered(number, line)
	f.value *= binary[unit]
	return f
}

// numbered reads digits; what is beyond all measure is 0, which is no figure.
func numbered(s string, line int) figure {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v > 1e15 {
		return figure{line: line}
	}
	return figure{v, line}
}

func counted(s string, line int) figure {
	f := numbered(s, line)
	f.value = math.Trunc(f.value)
	return f
}

func timed(s string, line int) figure {
	d, err := time.ParseDuration(s)
	if err != nil {
		return figure{line: line}
	}
	return figure{d.Seconds(), line}
}

// plus adds figures up; the sum stands where its first term does.
func plus(a, b figure) figure {
	if a.line == 0 {
		return b
	}
	a.value += b.value
	return a
}
