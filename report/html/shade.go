package html

import (
	"fmt"
	"math"

	"assay/report/block"
)

// shades is how many steps a heat map has; the palest is the least.
const shades = 6

// heat is the least and the greatest figure of a table, between which its cells
// are coloured.
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

// words say what the colours mean.
func (h heat) words() string {
	switch {
	case h.low == h.high:
		return "All alike."
	case h.low < h.high:
		return "The stronger the colour, the more."
	}
	return ""
}

// shade picks a step between the least and the greatest value, as ratios go.
// The scale is never shorter than a doubling, its end at the greatest value:
// noise must not look like a difference.
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
