package html

import (
	"math"
	"strconv"

	"assay/report/block"
)

// spark shows the repeats of one figure as dots, in the order of measurement.
type spark struct {
	Width int
	Dots  [][2]string
	Words string
}

const (
	sparkHeight = 18.
	sparkStep   = 7
)

// sparkOf draws repeats around their middle. The picture spans at least 2 % of
// the value: noise that small must look small.
func sparkOf(f block.Figure) *spark {
	n := len(f.Repeats)
	if n < 3 || n > 40 {
		return nil
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range f.Repeats {
		if !v.Is() {
			return nil
		}
		low, high = math.Min(low, float64(v)), math.Max(high, float64(v))
	}
	middle, reach := (low+high)/2, math.Max(high-low, .02*math.Abs(low+high)/2)
	if reach == 0 {
		reach = 1
	}
	s := &spark{Width: n*sparkStep + 2, Words: strconv.Itoa(n) + " repeats, in the order of measurement"}
	for i, v := range f.Repeats {
		y := sparkHeight/2 - (float64(v)-middle)/reach*(sparkHeight-6)
		s.Dots = append(s.Dots, [2]string{strconv.Itoa(i*sparkStep + sparkStep/2 + 1), strconv.FormatFloat(y, 'f', 1, 64)})
	}
	return s
}
