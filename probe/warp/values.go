package warp

import (
	"math"
	"strconv"
	"time"

	"assay/internal/bytesize"
)

// speed parses a speed without its /s. Even warp's MB are 2^20 bytes, as its bytes
// and objects per second show.
func speed(number, unit string, line int) figure {
	if number == "" {
		return figure{}
	}
	v, ok := bytesize.Binary(number + unit)
	if !ok {
		return figure{line: line}
	}
	return figure{v, line}
}

// numbered parses digits; an impossibly large number yields 0, which counts as
// no figure.
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

// plus adds two figures; the sum keeps the line of the first.
func plus(a, b figure) figure {
	if a.line == 0 {
		return b
	}
	a.value += b.value
	return a
}
