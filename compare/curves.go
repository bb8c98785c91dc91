package compare

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"assay"
)

// Curve is the latency distribution of one trial in every column.
type Curve struct {
	Row       int         // the first of Comparison.Rows for these trials and this direction
	Direction string      // read, write or trim
	Of        []Histogram // one per column; nil if it has none
}

// Histogram counts operations by latency: bins by their upper ends in seconds,
// ascending, each with a count above 0.
type Histogram []assay.Bin

// leastBeyond is how many operations must lie beyond a percentile: with fewer,
// it varies between repeats.
const leastBeyond = 10

// Curves returns the latencies of the trials that c compares, summed over a column's
// counted repeats. Columns must be those that c was made from, loaded with
// histograms. What fewer than two columns have is left out.
func Curves(c Comparison, columns []Column) []Curve {
	var all []Curve
	seen := map[string]bool{}
	for i, row := range c.Rows {
		direction := directionOf(row.Metric)
		key := direction + " " + strings.Join(row.Cells[0].Trials, " ")
		if direction == "" || seen[key] {
			continue
		}
		seen[key] = true
		curve := Curve{Row: i, Direction: direction, Of: make([]Histogram, len(columns))}
		have := 0
		for j, cell := range row.Cells {
			if cell == nil {
				continue
			}
			if curve.Of[j] = columns[j].latencies(*cell, direction); curve.Of[j] != nil {
				have++
			}
		}
		if have > 1 {
			all = append(all, curve)
		}
	}
	return all
}

// directionOf returns the direction of a storage metric, or "".
func directionOf(metric string) string {
	words := strings.Split(metric, ".")
	if len(words) > 2 && words[0] == "storage" && slices.Contains([]string{"read", "write", "trim"}, words[1]) {
		return words[1]
	}
	return ""
}

// latencies sums the histograms behind a cell.
func (c Column) latencies(cell Cell, direction string) Histogram {
	counts := map[float64]int64{}
	for _, p := range c.Picks {
		if !slices.Contains(cell.Runs, p.Run.ID) || !slices.Contains(cell.Trials, p.Result.Trial.ID) {
			continue
		}
		for _, rep := range p.Result.Counted() {
			// The mean's histogram is the one that covers all operations.
			if m := rep.Measurement("storage." + direction + ".latency.mean"); m != nil {
				for _, b := range m.Histogram {
					counts[b.Upper] += b.Count
				}
			}
		}
	}
	maps.DeleteFunc(counts, func(_ float64, n int64) bool { return n <= 0 })
	var h Histogram
	for upper, n := range counts {
		h = append(h, assay.Bin{Upper: upper, Count: n})
	}
	slices.SortFunc(h, func(a, b assay.Bin) int { return cmp.Compare(a.Upper, b.Upper) })
	return h
}

// Count returns the number of operations.
func (h Histogram) Count() int64 {
	n := int64(0)
	for _, b := range h {
		n += b.Count
	}
	return n
}

// Percentile returns the latency in seconds that p percent of the operations did
// not exceed, by nearest rank; ok is false if too few lie beyond it to be
// meaningful.
func (h Histogram) Percentile(p float64) (seconds float64, ok bool) {
	total := float64(h.Count())
	if total*(100-p)/100 < leastBeyond {
		return 0, false
	}
	seen := int64(0)
	for _, b := range h {
		if seen += b.Count; float64(seen) >= total*p/100 {
			return b.Upper, true
		}
	}
	return 0, false
}

// Steps returns, for the end of each bin, the percentage of operations that took
// at most that long: {percent, seconds}, both rising. It ends where Percentile
// does.
func (h Histogram) Steps() [][2]float64 {
	var steps [][2]float64
	total, seen := h.Count(), int64(0)
	for _, b := range h {
		if seen += b.Count; total-seen < leastBeyond {
			break
		}
		steps = append(steps, [2]float64{100 * float64(seen) / float64(total), b.Upper})
	}
	return steps
}
