package fio

import (
	"cmp"
	"math/bits"
	"slices"

	"assay"
)

// fio sorts latencies into bins like floating-point numbers: 64 bins per power
// of two, and one for each value below 128 (stat.h, FIO_IO_U_PLAT_BITS).
const (
	binBits  = 6
	binGroup = 1 << binBits
)

// histogram converts json+ bins to bins with an upper bound in s, ascending.
// Names are the middle of a bin in version 3; version 2 printed the bin's index
// instead, with the constants of stat.h among the names.
func histogram(l *latency) ([]assay.Bin, error) {
	if l.badBin != nil || len(l.bins) == 0 {
		return nil, l.badBin
	}
	out := make([]assay.Bin, len(l.bins))
	for i, b := range l.bins {
		upper := upperOfMiddle(b.key)
		if l.indexed {
			upper = upperOfIndex(b.key)
		}
		out[i] = assay.Bin{Upper: float64(upper) * l.unit, Count: b.count}
	}
	slices.SortFunc(out, func(a, b assay.Bin) int { return cmp.Compare(a.Upper, b.Upper) })
	return out, nil
}

// upperOfMiddle returns the upper bound of the bin that contains the value k.
func upperOfMiddle(k uint64) uint64 {
	if k < 2*binGroup {
		return k
	}
	width := uint64(1) << (bits.Len64(k) - 1 - binBits)
	return (k/width + 1) * width
}

// upperOfIndex returns the upper bound of the bin with that index.
func upperOfIndex(i uint64) uint64 {
	if i < 2*binGroup {
		return i
	}
	shift := min(i>>binBits-1, 50)
	return (binGroup + i%binGroup + 1) << shift
}
