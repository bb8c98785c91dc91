package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm corrects the p of a family of tests, in their order: one figure in
// twenty is below .05 by chance alone. An invalid p counts as 1, since a failed
// test is still a test. ps is not modified.
//
// Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979.
func Holm(ps []float64) []float64 {
	order := make([]int, len(ps))
	corrected := make([]float64, len(ps))
	for i, p := range ps {
		order[i], corrected[i] = i, p
		if math.IsNaN(p) || p < 0 || p > 1 {
			corrected[i] = 1
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(corrected[a], corrected[b]) })
	least := 0.
	for rank, i := range order {
		least = max(least, min(1, corrected[i]*float64(len(ps)-rank)))
		corrected[i] = least
	}
	return corrected
}
