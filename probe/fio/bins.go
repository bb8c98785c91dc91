package fio

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"assay"
)

// fio sorts latencies into bins as floating-point numbers do: 64 bins to each
// power of two, and one for each value below 128 (stat.h, FIO_IO_U_PLAT_BITS).
const (
	binBits  = 6
	binGroup = 1 << binBits
)

// histogram turns json+ bins into bins with an upper bound in s, rising. unit is
// that of the keys in s. Keys are the middle of a bin, as in version 3; version
// 2 printed the bin's index instead, with the constants of stat.h among the keys.
func histogram(l *latency, unit float64) ([]assay.Bin, error) {
	_, indexed := l.Bins["FIO_IO_U_PLAT_BITS"]
	var out []assay.Bin
	for key, n := range l.Bins {
		k, err := strconv.ParseUint(key, 10, 63)
		if err != nil {
			if indexed {
				continue // one of the constants
			}
			return nil, fmt.Errorf("bin %q is not a latency", key)
		}
		count, err := n.notNegative("bin "+key, 1)
		if err != nil {
			return nil, err
		}
		if count > 1<<53 {
			return nil, fmt.Errorf("bin %s holds %g operations, which cannot be", key, count)
		}
		if count == 0 {
			continue
		}
		upper := upperOfMiddle(k)
		if indexed {
			upper = upperOfIndex(k)
		}
		out = append(out, assay.Bin{Upper: float64(upper) * unit, Count: int64(count)})
	}
	slices.SortFunc(out, func(a, b assay.Bin) int { return cmp.Compare(a.Upper, b.Upper) })
	return out, nil
}

// upperOfMiddle gives the upper bound of the bin that the value k lies in.
func upperOfMiddle(k uint64) uint64 {
	if k < 2*binGroup {
		return k
	}
	width := uint64(1) << (bits.Len64(k) - 1 - binBits)
	return (k/width + 1) * width
}

// upperOfIndex gives the upper bound of the bin of that index.
func upperOfIndex(i uint64) uint64 {
	if i < 2*binGroup {
		return i
	}
	shift := min(i>>binBits-1, 50)
	return (binGroup + i%binGroup + 1) << shift
}
