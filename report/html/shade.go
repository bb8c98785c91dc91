package html

import (
	"fmt"
	"math"

	"assay/report/block"
)

// shades is the number of steps of a heat map; the palest is the lowest.
const shades = 6

// heat is the range of a table's figures, over which its cells are coloured.
type heat struct{ low, high float64 }

func heatOf(t block.Table) heat {
	h := heat{math.Inf(1), math.Inf(-1)}
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			if c.Figure != nil && c.Figure.Value.Is() {
				h.low, h.high = min(h.low, float64(c.Figure.Value)), max(h.high, float64(c.Figure.Value))
			}
		}
	}
	return h
}

// words explains the colours.
func (h heat) words() string {
	switch {
	case h.low == h.high:
		return "All alike."
	case h.low < h.high:
		return "The stronger the colour, the more."
	}
	return ""
}

// shade picks a step between the lowest and the highest value, on a logarithmic
// scale. The scale spans at least a doubling up to the highest value, so that
// noise does not look like a difference.
func (h heat) shade(v float64) string {
	if h.low == h.high {
		return "shade-2"
	}
	if !isFinite([2]float64{v, h.low}) || !isFinite([2]float64{h.high}) || h.high <= 0 {
		return ""
	}
	reach := math.Log2(h.high / math.Max(h.low, h.high/1024))
	from := h.high / math.Exp2(math.Max(reach, 1))
	at := math.Log2(math.Max(v, from)/from) / math.Log2(h.high/from)
	return fmt.Sprintf("shade-%d", min(int(at*shades), shades-1))
}
