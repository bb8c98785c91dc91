package warp

import (
	"math"
	"strconv"
	"time"

	"assay/internal/bytesize"
)

// speed reads a speed without its /s. Also warp's MB are 2^20 bytes, as its bytes and
// objects a second show.
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
